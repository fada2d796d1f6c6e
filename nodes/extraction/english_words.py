"""English word lists the rules look things up in. Lower case; one list, one meaning."""

from .reading import listed

RELATIONS = {  # what people call a relative: the canonical relation
    **{w: w for w in "wife husband girlfriend boyfriend spouse mother father sister brother".split()},
    **{w: w for w in "twin son daughter".split()},
    **{w: w for w in "grandmother grandfather aunt uncle cousin niece nephew grandson granddaughter".split()},
    **{w: w for w in "mother-in-law father-in-law sister-in-law brother-in-law partner child".split()},
    **dict.fromkeys("mum mom mam mama mummy mommy".split(), "mother"),
    **dict.fromkeys("dad papa daddy".split(), "father"),
    **dict.fromkeys("grandma granny gran nan nana".split(), "grandmother"),
    **dict.fromkeys("grandpa grandad granddad".split(), "grandfather"),
    "auntie": "aunt",
    "hubby": "husband",
    "kid": "child",
    "sis": "sister",
    "bro": "brother",
    "fiance": "fiancé",
    "fiancé": "fiancé",
    "fiancee": "fiancée",
    "fiancée": "fiancée",
    "twins": "twins",
    "kids": "children",
    "children": "children",
    "parents": "parents",
    "sons": "sons",
    "daughters": "daughters",
    "sisters": "sisters",
    "brothers": "brothers",
    "grandparents": "grandparents",
}
ACQUAINTANCES = {  # only with a name of their own
    **{
        w: w
        for w in "friend boss manager roommate teacher doctor dentist therapist landlord coach mentor".split()
    },
    "flatmate": "roommate",
    "housemate": "roommate",
    "neighbour": "neighbour",
    "neighbor": "neighbour",
    "colleague": "colleague",
    "coworker": "colleague",
    "co-worker": "colleague",
    "mate": "friend",
    "bestie": "friend",
}
PETS = listed(
    "cat dog kitten puppy parrot rabbit bunny hamster gerbil goldfish fish tortoise turtle"
    " horse pony goat sheep hen chicken duck goose snake lizard gecko budgie canary cockatiel"
    " ferret guinea_pig rat mouse bee pig donkey llama alpaca pigeon quail tarantula frog"
    " axolotl terrier labrador retriever poodle beagle corgi dachshund spaniel greyhound husky"
    " collie whippet chihuahua pug hedgehog iguana koi cow"
)
PET_PLURALS = listed(
    "kittens puppies mice geese sheep fish bees ponies huskies collies bunnies canaries goldfish"
) | {pet + "s" for pet in PETS}
NUMBERS = listed("one two three four five six seven eight nine ten eleven twelve a an no several many some")
JOBS = listed(
    "porter usher bouncer bellhop concierge hostess valet groom jockey farrier falconer"
    " gamekeeper trapper hunter logger lumberjack fitter joiner cabinetmaker glassmaker"
    " ironworker steelworker millwright rigger crane_operator foreman builder labourer laborer"
    " handyman decorator landscaper arborist agronomist horticulturist oenologist brewmaster"
    " distiller miller confectioner pastry_chef sous_chef line_cook dishwasher sommelier"
    " maître_d' paediatric_nurse nurse_practitioner dental_hygienist orthodontist urologist"
    " neurologist oncologist gynaecologist obstetrician radiographer sonographer phlebotomist"
    " audiologist osteopath chiropractor acupuncturist herbalist doula carer caregiver"
    " care_worker health_visitor speech_therapist counsellor counselor life_coach headteacher"
    " headmaster dean chancellor provost research_assistant teaching_assistant lab_technician"
    " proofreader columnist screenwriter playwright novelist lyricist rapper dj cinematographer"
    " videographer choreographer set_designer stylist make-up_artist makeup_artist"
    " fashion_designer graphic_designer web_designer web_developer game_developer game_designer"
    " ux_designer ui_designer devops_engineer data_engineer machine_learning_engineer quant"
    " underwriter loss_adjuster claims_adjuster estate_agent letting_agent travel_agent"
    " tour_guide ski_instructor driving_instructor diving_instructor personal_trainer"
    " yoga_teacher swimmer footballer cricketer boxer wrestler gymnast athlete runner golfer"
    " skipper deckhand stoker stevedore docker trucker lorry_driver bus_driver taxi_driver"
    " train_driver tram_driver signalman conductor flight_engineer navigator astronaut cosmonaut"
    " paratrooper marine officer sergeant colonel corporal detective bailiff prosecutor"
    " magistrate clerk_of_court probation_officer prison_officer customs_officer"
    " immigration_officer border_guard fireman policewoman councillor senator ambassador attaché"
    " spokesman spokeswoman speechwriter pollster fundraiser campaigner charity_worker"
    " youth_worker community_organiser chaplain vicar bishop deacon pastor sexton gravedigger"
    " taxidermist stonecutter sculptor ceramicist weaver spinner dyer milliner furrier tanner"
    " saddler bookmaker croupier stuntman magician clown acrobat comedian broadcaster presenter"
    " announcer sound_engineer roadie stagehand lighting_technician archaeologist"
    " palaeontologist paleontologist volcanologist seismologist hydrologist glaciologist"
    " ornithologist ethnographer demographer toxicologist pathologist immunologist buyer"
    " merchandiser retailer wholesaler importer exporter stockbroker financier treasurer"
    " controller comptroller teller telemarketer call_centre_agent dispatcher scheduler"
    " logistics_manager warehouse_worker picker packer forklift_driver machine_operator"
    " assembler inspector quality_engineer welder plater boilermaker patternmaker"
    " pest_controller chimney_sweep window_cleaner dustman binman street_sweeper lollipop_lady"
    " crossing_guard warden florist nurse doctor vet veterinarian teacher engineer developer"
    " programmer lawyer solicitor barrister accountant architect carpenter plumber electrician"
    " baker chef cook waiter waitress bartender barista farmer gardener painter sculptor"
    " musician composer singer actor actress dancer writer author poet journalist reporter"
    " editor translator interpreter librarian archivist curator historian scientist researcher"
    " physicist chemist biologist geologist mathematician statistician economist psychologist"
    " psychiatrist therapist physiotherapist dentist surgeon pharmacist midwife paramedic"
    " firefighter policeman policewoman detective judge soldier pilot captain sailor fisherman"
    " driver courier mechanic welder machinist tailor seamstress cobbler jeweller watchmaker"
    " potter glassblower blacksmith butcher grocer cashier salesman saleswoman realtor"
    " estate_agent broker banker trader consultant manager director ceo cto cfo coo founder"
    " entrepreneur secretary receptionist assistant clerk designer illustrator animator"
    " photographer filmmaker producer technician analyst administrator sysadmin tester"
    " data_scientist professor lecturer tutor postdoc phd_student student intern apprentice"
    " trainee principal coach trainer instructor referee nanny childminder caretaker janitor"
    " cleaner housekeeper hairdresser barber beautician model optician optometrist radiologist"
    " anaesthetist cardiologist dermatologist paediatrician pediatrician nutritionist dietitian"
    " luthier beekeeper shepherd ranger forester astronomer meteorologist oceanographer"
    " archaeologist anthropologist sociologist linguist philosopher priest pastor imam rabbi"
    " monk nun missionary diplomat politician mayor freelancer contractor bricklayer roofer"
    " plasterer locksmith undertaker surveyor cartographer geographer social_worker"
    " civil_servant security_guard flight_attendant stewardess air_traffic_controller"
    " project_manager product_manager office_manager housewife homemaker stay-at-home_mum"
    " stay-at-home_mom stay-at-home_dad bookkeeper auditor actuary underwriter notary paralegal"
    " copywriter blogger youtuber podcaster bookseller bookbinder shopkeeper zookeeper goldsmith"
    " silversmith puppeteer conductor violinist cellist pianist drummer guitarist harpist"
    " organist barrister stonemason mason brewer winemaker sommelier butler chauffeur lifeguard"
    " postman postwoman mailman milkman dispatcher planner recruiter strategist marketer"
    " publicist lobbyist hydrologist ecologist botanist zoologist entomologist virologist"
    " geneticist neuroscientist epidemiologist scaffolder upholsterer tiler glazier tattooist"
    " masseur masseuse caterer logistician pensioner"
)
JOB_ENDINGS = (
    "ologist",
    "ographer",
    "smith",
    "wright",
    "monger",
    "keeper",
    "maker",
    "engineer",
    "scientist",
    "therapist",
)
DEMONYMS = listed(
    "dutch belgian flemish walloon french german austrian swiss italian spanish catalan basque"
    " portuguese british english scottish welsh irish danish swedish norwegian finnish icelandic"
    " estonian latvian lithuanian polish czech slovak hungarian romanian bulgarian greek turkish"
    " serbian croatian slovenian bosnian albanian macedonian ukrainian russian belarusian"
    " georgian armenian azerbaijani kazakh uzbek iranian persian iraqi syrian lebanese jordanian"
    " israeli palestinian egyptian moroccan algerian tunisian libyan sudanese ethiopian somali"
    " kenyan ugandan tanzanian rwandan nigerian ghanaian senegalese ivorian cameroonian"
    " congolese angolan zimbabwean zambian south_african american canadian mexican cuban"
    " jamaican haitian brazilian argentinian argentine chilean peruvian bolivian colombian"
    " venezuelan ecuadorian uruguayan paraguayan chinese taiwanese japanese korean south_korean"
    " vietnamese thai cambodian laotian burmese malaysian singaporean indonesian filipino indian"
    " pakistani bangladeshi nepali nepalese lankan sri_lankan afghan mongolian tibetan"
    " australian maltese cypriot luxembourgish european african asian kiwi maori maltese"
)
LANGUAGES = listed(
    "dutch flemish french german italian spanish catalan basque portuguese english welsh irish"
    " gaelic danish swedish norwegian finnish icelandic estonian latvian lithuanian polish czech"
    " slovak hungarian romanian bulgarian greek turkish serbian croatian slovenian slovene"
    " bosnian albanian macedonian ukrainian russian belarusian georgian armenian kazakh uzbek"
    " farsi persian arabic hebrew yiddish amharic somali swahili yoruba igbo hausa zulu xhosa"
    " afrikaans mandarin cantonese chinese hokkien taiwanese japanese korean vietnamese thai"
    " khmer burmese malay indonesian tagalog hindi urdu bengali punjabi tamil telugu marathi"
    " gujarati nepali sinhala pashto mongolian tibetan latin esperanto sanskrit frisian breton"
    " sign_language maltese luxembourgish maori"
)
RELIGIONS = listed(
    "catholic protestant muslim jewish buddhist hindu sikh orthodox lutheran quaker atheist"
    " agnostic christian"
)
DIETS = listed("vegetarian vegan pescatarian pescetarian flexitarian kosher halal teetotal fruitarian")
AFFECTED = listed(
    "diabetic asthmatic dyslexic epileptic deaf blind autistic colour-blind color-blind"
    " colourblind colorblind pregnant coeliac celiac lactose-intolerant lactose_intolerant"
    " gluten-intolerant gluten_intolerant left-handed right-handed lefthanded ambidextrous"
    " short-sighted nearsighted long-sighted farsighted hard_of_hearing anaemic anemic bilingual"
    " trilingual left_handed right_handed color_blind colour_blind insomniac neurodivergent"
    " dyspraxic"
)
CONDITIONS = listed(
    "asthma diabetes epilepsy arthritis adhd add ocd ptsd migraines eczema psoriasis dyslexia"
    " autism insomnia hay_fever tinnitus vertigo anaemia anemia scoliosis celiac_disease"
    " coeliac_disease hypertension high_blood_pressure gout depression anxiety lupus"
    " fibromyalgia endometriosis glaucoma cataracts rosacea sleep_apnea sleep_apnoea"
    " type_1_diabetes type_2_diabetes type_one_diabetes type_two_diabetes sciatica narcolepsy"
    " hypothyroidism lactose_intolerance color_blindness chronic_migraines chronic_pain"
    " bad_knees a_bad_back a_pacemaker a_heart_condition"
)
MARITAL = listed("married single divorced widowed engaged separated unmarried")
TRAITS = listed(
    "morning_person night_owl early_bird early_riser night_person dog_person cat_person"
    " people_person introvert extrovert extravert ambivert perfectionist minimalist lefty"
    " left-hander feminist"
)
ZODIAC = listed("aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces")
GENDERS = listed("man woman guy girl trans_woman trans_man non-binary nonbinary")
GROUPS = listed(
    "choir band team club orchestra society union league guild committee board ensemble quartet"
    " trio troupe chorus association squad crew party reserve council co-op cooperative"
    " collective circle group brigade church parish"
)
INSTRUMENTS = listed(
    "cello harp violin viola piano guitar bass drums flute clarinet oboe bassoon trumpet"
    " trombone tuba horn saxophone sax accordion banjo mandolin ukulele harmonica organ"
    " harpsichord recorder lute bagpipes double_bass french_horn electric_guitar bass_guitar"
    " sitar erhu guzheng pipa percussion fiddle keyboard xylophone zither lyre theremin"
)
GAMES = listed(
    "chess go football soccer tennis rugby cricket hockey basketball volleyball badminton"
    " squash golf baseball handball table_tennis ping-pong ping_pong darts snooker pool poker"
    " bridge mahjong scrabble futsal lacrosse padel pickleball softball water_polo ice_hockey"
    " field_hockey ultimate_frisbee dodgeball netball minecraft dota video_games board_games"
    " videogames d&d dungeons_and_dragons backgammon checkers draughts go_fish korfball curling"
    " bowls boules petanque"
)
ACTIVITIES = listed(
    "run jog swim cycle hike walk meditate climb exercise bake cook paint read dance sing row"
    " garden fish knit sail surf ski box crochet sew sketch draw journal fence skate snowboard"
    " skateboard kayak canoe bike smoke drive vape forage gamble windsurf birdwatch stargaze"
    " volunteer lift camp travel ride"
)
ALONE = listed(
    "smoke drive vape knit crochet sew sail fence surf ski meditate garden skate snowboard kayak gamble paint"
)
"""Activities that say enough by themselves: "I don't drive"."""
BODY = listed(
    "ankle wrist knee arm leg foot toe finger shoulder back elbow hip neck rib collarbone hand thumb"
)
INJURED = listed("sprained broken fractured dislocated torn bruised")
NOT_NAMES = (
    DEMONYMS
    | RELIGIONS
    | DIETS
    | AFFECTED
    | MARITAL
    | (ZODIAC - {"leo"})
    | JOBS
    | DEMONYMS
    | listed(
        "ok okay crazy anything whatever mud anytime sir madam fine good great well back here there"
        " done ready sure sorry happy sad tired hungry thirsty bored busy free late early new old"
        " young home alone lost stuck confused curious glad afraid scared excited sick ill better"
        " worse bad mad angry monday tuesday wednesday thursday friday saturday sunday january"
        " february march april may june july august september october november december just so very"
        " too really also still not never always in on at from to into about of off up down out over"
        " with without the a an all both your my his her their our this that what who how why when"
        " where it batman superman groot spartacus jesus god santa satan iron spiderman legend death"
        " ironman elvis napoleon sherlock dracula team gen adhd intj infp enfp intp entp istj isfj"
        " infj enfj estj esfj istp isfp estp esfp afk ai trying going working looking using having"
        " getting writing reading asking thinking thinking planning learning studying living making"
        " building doing running wondering hoping waiting feeling coming calling currently actually"
        " originally based allergic fluent born no yes me i you he she they we mr mrs ms dr american"
        " mostly pretty quite kind sort kinda exhausted starving fed done definitely absolutely"
        " totally certainly probably perhaps maybe basically honestly somewhat more less human"
        " ishmael gandalf frodo harry_potter barbie ken joker shrek yoda neo bond dad"
        " mum mom mama papa daddy mommy grandma grandpa team gen generation captain queen king prince princess"
        " someone nobody everyone anyone everything nothing something english covid christmas easter"
    )
)
COMMON_STARTS = listed(
    "everyone everybody nobody someone somebody anyone anybody no-one nothing everything"
    " something it he she they we you this that these those there here who what which one people"
    " most many some all none coffee tea life love time god money nature science history english"
    " the a an my your his her our their its i if when while because since although but and or"
    " so then also well ok okay yes no hi hello hey thanks please today tomorrow yesterday now"
    " note remember not never only just maybe perhaps google apple microsoft amazon facebook"
    " openai python java linux windows mine yours monday tuesday wednesday thursday friday"
    " saturday sunday january february march april may june july august september october"
    " november december mom dad mum grandma grandpa santa jesus"
)
TOOLS = listed(
    "linux macos windows emacs vim neovim vscode python rust java javascript typescript golang"
    " ruby kotlin swift postgres postgresql mysql sqlite docker kubernetes firefox chrome safari"
    " android iphone ubuntu fedora debian arch nixos git github gitlab excel word notion"
    " obsidian blender gimp photoshop figma latex pycharm intellij django flask react vue"
    " angular c++ c# php perl haskell scala elixir clojure r matlab julia fortran cobol bash zsh"
    " fish tmux nano colemak dvorak google_docs whatsapp telegram signal duolingo anki zotero"
)
