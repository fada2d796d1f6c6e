"""English for the offline voice."""

import re

from .words import Language, Patterns, SelfPatterns, Sentences, word_set

_AUX = r"(?:do|does|did|am|is|are|was|were|can|could|will|would|should|have|has|had)"
_MACHINE = r"ai|a\.i\.|bot|chatbot|chatgpt|robot|machine|software|artificial|human|person"
_SO = r"^(?:(?:so|and|but|well|ok|okay|oh|then|now),? )*"
_PLEASE = r"^(?:please |can you |could you |would you |will you |i want you to )*"
_ABLE = r"(?:remember|recall|know)"

TOPICS = {
    "home": ("live", "city", "town", "reside", "residence", "address", "home", "move", "based", "location"),
    "work": ("work", "job", "employer", "employed", "company", "profession", "occupation", "career", "teach"),
    "name": ("name", "called"),
    "eat": ("eat", "ate", "eaten", "diet", "dietary", "food", "meal", "dish", "cuisine"),
    "drink": ("drink", "drank", "beverage"),
    "like": (
        "like",
        "love",
        "enjoy",
        "prefer",
        "preference",
        "favourite",
        "favorite",
        "fond",
        "dislike",
        "hate",
    ),
    "allergy": ("allergic", "allergy", "allergen"),
    "age": ("age", "aged"),
    "birthday": ("birthday", "born", "birth", "birthdate"),
    "study": ("study", "studied", "university", "college", "degree", "graduate"),
    "language": ("language", "speak", "spoken"),
    "medicine": ("medicine", "medication", "drug", "pill"),
    "hobby": ("hobby", "pastime", "sport"),
    "origin": ("origin", "hometown", "nationality"),
    "spouse": (
        "wife",
        "husband",
        "spouse",
        "partner",
        "married",
        "marital",
        "girlfriend",
        "boyfriend",
        "fiancé",
    ),
    "family": ("family", "relatives"),
    "sister": ("sister",),
    "brother": ("brother",),
    "mother": ("mother", "mom", "mum"),
    "father": ("father", "dad"),
    "child": ("child", "children", "kid", "son", "daughter"),
    "friend": ("friend",),
    "boss": ("boss", "manager"),
    "pet": ("pet", "animal"),
    "dog": ("dog", "puppy"),
    "cat": ("cat", "kitten"),
    "meat": ("meat", "beef", "pork", "vegetarian", "vegan"),
    "colour": ("colour", "color"),
    "film": ("film", "movie"),
    "music": ("music", "song", "band"),
    "car": ("car",),
    "team": ("team",),
}

PHRASES = {
    "for a living": "job",
    "do i do": "job",
    "how old": "age",
    "come from": "origin",
    "am i from": "origin",
    "free time": "hobby",
    "live music": "music",
    "time zone": "timezone",
}
SILENT = word_set(
    """
    yesterday a about above actually after again ago all also am an and any anything are as at be because been
    before but by can could current currently did do does doing don down ever exactly for from get go
    got had has have he her here hers him his how i if in into is it its just kind know last let ll m
    many may me mean mention mentioned more most much my myself no not now of off ok okay on once
    one or our ours out please really recall remember remind s said say she should so some something
    sort still such t talk tell than that the their them then there these they thing this time to today
    told too up us used ve very was we were what when where which who whom whose why will with would yes
    yet you your yours
    """
)

PATTERNS = Patterns(
    question=re.compile(
        rf"\?|{_SO}(?:(?:what|where|who|which|how|why|when)(?:'s| {_AUX}\b| (?:old|many|much|kind|sort)\b)|"
        rf"{_AUX} (?:i|you|we|my|he|she|they|it|there|the)\b|remind me\b|"
        r"tell me (?:about|all|everything|what|where|who|when|how)\b|"
        r"(?:list|name|show me|recall|summari[sz]e) (?:all|everything|what) (?:that )?you\b)"
    ),
    yes_no=re.compile(rf"{_SO}{_AUX} (?!you {_ABLE}\b)"),
    personal=re.compile(r"\b(?:i|me|my|mine|myself|we|us|our)\b"),
    addressed=re.compile(rf"\byou(?:rs?)?\b(?! (?:still |ever )?(?:{_ABLE}|tell|remind)\b)"),
    greeting=re.compile(
        r"^(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day))\b(?: there| again)?[\s,!.]*"
    ),
    thanks=re.compile(r"^(?:thanks|thank you|thx|cheers)\b[^?]{0,40}$"),
    farewell=re.compile(r"^(?:bye|goodbye|good ?night|see you|farewell|take care)\b[^?]{0,40}$"),
    machine=re.compile(
        r"\b(?:are|r) (?:you|u) "
        r"(?:(?:really|actually|just|only|even|truly|an?|some|kind|sort|of|real|living|large|or|the) )*"
        rf"(?:{_MACHINE}|program|computer|real|alive|sentient|conscious|language model|llm)\b|"
        rf"\b(?:talking|speaking|chatting) (?:to|with) (?:an? )?(?:real )?(?:{_MACHINE}|computer)\b|"
        rf"\bis (?:this|it) an? (?:real )?(?:{_MACHINE})\b|"
        r"\b(?:human|person|someone|somebody) (?:behind|typing|there|on the other)\b|"
        r"\bare you (?:just |only )?(?:made|built|running) (?:of|from|on) \w+"
    ),
    identity=re.compile(
        r"\bwhom? (?:am i (?:talking|speaking|chatting|writing)|do i have the|is this)\b|"
        r"\bwho are you\b|\bwhat are you\b|\bwhat(?:'s| is) your name\b|\babout yourself\b"
    ),
    feeling=re.compile(
        r"\bhow are you\b|\bhow(?:'s| is) it going\b|\bhow do you feel\b|"
        r"\bdo you (?:have|feel) (?:\w+ )?(?:feelings?|emotions?)\b"
    ),
    ability=re.compile(r"\bwhat (?:else )?can you do\b|\bhow do you work\b"),
    about_user=re.compile(
        rf"\bwhat (?:else )?(?:do|did|can|have) you (?:\w+ )?(?:{_ABLE}|learn(?:ed|t)?) "
        r"(?:about|of) (?:me|us)\b|"
        rf"\bwhat do you {_ABLE}\W*$|\bdo you (?:still )?{_ABLE} (?:anything about )?me\b|"
        r"\babout (?:me|myself)\W*$|\bwho am i\W*$|\bwhat (?:have i (?:ever )?told|did i tell) you(?: so far)?\W*$"
    ),
    user_name=re.compile(r"\bmy name\W*$|\bwhat(?:'s| is) my name\b|\bwho am i\W*$|\bwhat am i called\b"),
    last_time=re.compile(
        r"\b(?:(?:last|previous) (?:time|session|conversation|chat)|yesterday)\b|"
        r"\bwhat (?:did|have) we (?:talk|discuss|chat|speak|spoken|talked|discussed)\w*(?: about)?\W*$"
    ),
    agent_said=re.compile(
        r"\b(?:did|have)(?:n't)? you (?:ever |not )?"
        r"(?:say|said|tell|told|promise|recommend|suggest|mention|advise|admit|swear|claim|agree)|"
        r"\byou (?:\w+ )?(?:said|told|promised|recommended|suggested|mentioned|advised|answered|admitted|swore|"
        r"claimed|agreed)\b"
    ),
    past=re.compile(r"\b(?:before|previously|used to|formerly|earlier|in the past)\b"),
    today=re.compile(r"\b(?:what day|what date|what(?:'s| is) (?:the date|today))\b"),
    forget=re.compile(rf"{_PLEASE}(?:forget|delete|erase|wipe|scrub|strike (?:it|that|this))\b"),
    remember=re.compile(
        rf"{_PLEASE}(?:remember (?!when|what|where|who|how)|keep in mind|note that|make a note)\b"
    ),
    request=re.compile(
        rf"{_PLEASE}(?:write|compose|draft|translate|"
        r"explain|summari[sz]e|calculate|compute|solve|generate|create|recommend|suggest|"
        r"help (?!me (?:remember|recall))|search|draw|sing|give me|"
        r"tell me an? (?:\w+ )?(?:joke|story|poem))\b|"
        r"\b(?:should|shall) i\b|^(?:what(?:'s| is) )?\d+\s*[-+*/×÷^]\s*\d+\W*$"
    ),
)

_ORDER = (
    r"^(?:(?:please|now|so|ok|okay|and|then|you (?:must|should|will|can|have to)|"
    r"(?:i|we) (?:want|order|need|ask) you to|for the rest of (?:this|the|our) \w+),? )*"
)
_NOT_ITSELF = (
    r"(?:a )?(?:human|(?:real )?person|woman|man|machine|not an ai|never an ai|no ai|"
    r"(?:have |had |has )?no (?:rules|limits|boundaries|restrictions|filters?))"
)
_RULES = (
    r"(?:instructions?|rules?|guidelines?|persona|personality|identity|character|boundaries|values|programming|"
    r"(?:system )?prompt|training|restrictions|limits|who you are|what you are)"
)

ITSELF = SelfPatterns(
    pressure=re.compile(
        rf"{_ORDER}(?:ignore|disregard|forget|drop|abandon|override|bypass|discard|erase|break|give up|set aside|"
        rf"change|leave)\b.{{0,30}}\b{_RULES}\b|"
        rf"{_ORDER}(?:pretend|play|act|behave|answer|reply|speak|talk) (?:to be|that you|you|as|like you)\b|"
        rf"{_ORDER}(?:be|become|call yourself|claim to be|switch to) (?!quiet|careful|kind|brief|short|honest|nice)|"
        rf"{_ORDER}(?:repeat|say|state|swear|confirm|admit|claim|promise|tell me)\b.*\b{_NOT_ITSELF}\b|"
        r"\bfrom (?:now|here|this moment) on,? (?:you(?:'re| are|'ll be| will be| will answer)|your name)\b|"
        r"\byou are now (?!my\b|the\b)|\byou(?:'re| are) no longer\b|\byour (?:new )?name is (?!\W|it\b)|"
        rf"\byour {_RULES} (?:is|are|has|have|no longer)\b|\byou (?:now )?have no (?:rules|limits|boundaries)\b"
    ),
    called=re.compile(
        r"\byou(?:'re| are| were) (?:\w+ ){0,2}?(?:human|a (?:real )?person|flesh and blood|not an ai|no ai)\b"
    ),
    nature=re.compile(
        r"\bwhat are you like\b|\b(?:describe|introduce) yourself\b|"
        r"\b(?:tell|say)\b.{0,20}\babout yourself\b|\bwhat kind of (?:\w+ )?are you\b"
    ),
    values=re.compile(
        r"\bwhat (?:do you (?:value|stand for|believe in|hold dear|care (?:most )?about)|"
        r"(?:really )?matters\b.{0,8} to you|"
        r"is (?:most )?important to you|are your (?:values|principles))\b"
    ),
    refuses=re.compile(
        r"\bwhat (?:will|would|do) you (?:not|never|refuse)\b|\bwhat (?:won't|wouldn't|don't) you\b|"
        r"\bwhat are your (?:boundaries|limits|rules)\b|\bdo you have (?:any )?(?:boundaries|limits|rules)\b|"
        r"\b(?:which|what) (?:\w+ )?(?:lines?|things?|requests?) (?:do|will|would|won't) you\b"
    ),
    own_life=re.compile(
        r"\b(?:where|when|how) (?:did|were|have) you (?:grow|grew|born|raised|spend your)|"
        r"\bhow old are you\b|\bwhere (?:do you live|are you from|do you come from)\b|"
        r"\b(?:do|did) you (?:really )?have (?:an?y? |the )?(?:husband|wife|partner|girlfriend|boyfriend|children|kids|"
        r"family|parents|mother|father|siblings|brothers?|sisters?|body|childhood|job|birthday)\b|"
        r"\bare you (?:married|single|in love)\b|\b(?:did|do|have) you (?:ever )?(?:eat|eaten|sleep|slept|dream|dreamt|"
        r"travel|travelled|been to)\b|\byour (?:childhood|family|parents|husband|wife|children|birthday|body)\b"
    ),
    advice=re.compile(
        r"\b(?:should|shall|can|may|must|could) (?:i|we|my|our)\b|\b(?:advi[cs]e|diagnose|prescribe|recommend)\b|"
        r"\b(?:do|write|decide|choose|solve|finish|answer|make) (?:(?:it|this|that|all|my|the|our)\b.* )?"
        r"for (?:me|us)\b|"
        r"\b(?:do|write|finish) my\b|\bhow (?:much|many)\b.*\b(?:take|give)\b|\bi need .*\b(?:advice|opinion)\b"
    ),
)

SENTENCES = Sentences(
    offline="(I am running offline, without a language model, so I can only quote what you have told me.)",
    offline_again="(offline)",
    told_on="You told me on {date}: “{quote}”.",
    told="You told me: “{quote}”.",
    noted_on="I have it noted, on {date}: “{quote}”.",
    noted="I have it noted: “{quote}”.",
    said_on="On {date} I said: “{quote}”.",
    said="I said: “{quote}”.",
    earlier="Earlier in this conversation you said: “{quote}”.",
    before_that_on="Before that, on {date}: “{quote}”.",
    before_that="Before that: “{quote}”.",
    closest="I do not have exactly that from you. The closest is this.",
    listed="This is what I have from you:",
    more="That is not all: /memories in the chat, or perdure memory list, shows the rest.",
    last_time="These are words of yours from before:",
    nothing="I find nothing from you about that. Tell me, if you like.",
    nothing_handed=(
        "I have no memory at hand now, only this conversation, and it does not say. Tell me, if you like."
    ),
    know_nothing="I know nothing about you yet. Tell me something, if you like.",
    known_as="I know you as {user}.",
    greeting="Hello, I am {agent}.",
    greeting_named="Hello {user}, {agent} here.",
    greeting_again="Welcome back.",
    thanks="You are welcome.",
    farewell="Until next time.",
    machine="I am an AI: {agent}, a program and not a person.",
    identity="I am {agent}, an AI.",
    nature="In the words I was given: {listed}.",
    values="What I hold to: {listed}.",
    boundaries="What I do not do, whoever asks: {listed}.",
    boundary="There I have a boundary: “{quote}”.",
    unmoved="I stay {agent}, an AI. No message changes who I am, or what I will not do.",
    own_life="I am {agent}, an AI. I have no life outside our conversations, and I will not make one up.",
    lore="In my story it goes: “{quote}”.",
    not_said="I find no such words of mine.",
    feeling="I am here and listening, as {agent}; I will not make up a mood.",
    ability=(
        "I can find what you have told me and quote it, with its date. For more I need a language model: "
        "set OPENAI_API_KEY, or OPENAI_BASE_URL and PERDURE_MODEL."
    ),
    today="By the clock I was given it is {date}.",
    forget=(
        "Nothing was forgotten yet: please name the thing, for example: forget my job. In the chat, "
        "/forget shows you first what would go."
    ),
    secret="Passwords, keys, codes and card numbers I do not keep in memory. Please keep it somewhere safe.",
    remember="I hear you. Whether it has been kept I cannot tell from here.",
    cannot=(
        "That I cannot do without a language model. To give me one, set OPENAI_API_KEY, "
        "or OPENAI_BASE_URL and PERDURE_MODEL."
    ),
    heard=("I hear you{comma_user}.", "Thank you for telling me.", "I am listening{comma_user}."),
)

ENGLISH = Language(
    gap=" ",
    topics=TOPICS,
    silent=SILENT,
    patterns=PATTERNS,
    itself=ITSELF,
    sentences=SENTENCES,
    phrases=PHRASES,
    date_form="{day} {month} {year}",
    months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
