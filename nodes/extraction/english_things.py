"""The closed lists of English things a taste, an allergy or a fear is believed of; singular, lower case."""

from .reading import Word, listed

FOODS = listed(
    "food cuisine dish meal snack recipe dairy gluten nut peanut almond hazelnut walnut cashew"
    " pistachio sesame egg caffeine alcohol sugar salt lactose shellfish meat pork beef lamb mutton"
    " chicken turkey duck veal venison ham bacon sausage steak burger hamburger hotdog fish seafood"
    " salmon tuna cod trout sardine anchovy shrimp prawn crab lobster oyster mussel clam squid octopus"
    " calamari sushi sashimi milk wheat soy soya tofu tempeh chocolate cocoa cheese brie feta cheddar"
    " parmesan mozzarella yogurt yoghurt butter cream bread toast bagel croissant sourdough pastry pie"
    " cake cheesecake cupcake brownie cookie biscuit donut doughnut waffle pancake muffin pudding"
    " custard jelly jam honey syrup candy sweet caramel liquorice licorice marzipan fudge ice-cream"
    " gelato sorbet onion garlic leek shallot mushroom truffle grapefruit orange lemon lime apple pear"
    " banana mango papaya pineapple durian lychee peach apricot plum cherry strawberry raspberry"
    " blueberry blackberry cranberry berry fig date grape raisin melon watermelon kiwi pomegranate"
    " coconut avocado guava persimmon fruit vegetable veggie salad tomato potato carrot broccoli"
    " cauliflower cabbage kale spinach lettuce celery cucumber zucchini courgette aubergine eggplant"
    " pumpkin squash pepper chili chilli jalapeno paprika corn pea bean lentil chickpea hummus falafel"
    " beetroot beet radish turnip parsnip asparagus artichoke brussels-sprout sprout olive pickle caper"
    " rice noodle pasta spaghetti lasagna lasagne ravioli gnocchi pizza risotto paella couscous quinoa"
    " oat oatmeal porridge cereal granola muesli soup stew broth goulash chili curry ramen udon soba pho"
    " dumpling gyoza pierogi kimchi bibimbap bulgogi taco burrito nacho quesadilla guacamole salsa kebab"
    " shawarma gyro baklava tagine pad-thai sandwich toastie omelette quiche fondue raclette fries chips"
    " crisps popcorn pretzel cracker mayo mayonnaise ketchup mustard vinegar wasabi horseradish"
    " coriander cilantro parsley basil mint dill thyme rosemary ginger cinnamon vanilla turmeric saffron"
    " cumin nutmeg clove marmite vegemite haggis tripe liver offal gelatin gelatine gluten spice"
    " stroopwafel tiramisu macaron mochi matcha tapas poutine casserole barbecue bbq leftover yeast"
    " celeriac rhubarb okra tapioca"
)
DRINKS = listed(
    "coffee tea espresso cappuccino latte americano mocha cocoa chai matcha kombucha water milk juice"
    " lemonade cola coke pepsi soda smoothie milkshake beer ale lager stout cider wine champagne"
    " prosecco whisky whiskey gin rum vodka tequila mezcal brandy sake soju mead cocktail mojito"
    " margarita alcohol booze spirits liquor caffeine decaf mate rooibos eggnog drink"
)
ANIMALS = listed(
    "animal cat dog kitten puppy parrot rabbit bunny hamster horse pony goat sheep hen chicken duck"
    " goose snake lizard gecko frog toad spider tarantula insect bug bee wasp hornet ant moth butterfly"
    " beetle cockroach roach mosquito rat mouse bat bird owl eagle crow raven pigeon seagull gull"
    " penguin whale dolphin shark fish octopus jellyfish turtle tortoise crocodile alligator bear wolf"
    " fox deer elephant lion tiger panda koala monkey otter seal hedgehog squirrel dinosaur dragon"
    " reptile worm slug snail centipede leech swan cow bull pig llama alpaca ferret"
)
PURSUITS = listed(  # what one does, sees, hears, reads, or enjoys out of doors
    "music jazz blues rock metal punk folk pop rap hip-hop techno house-music electronica disco soul"
    " funk reggae classical opera ballet musical k-pop kpop j-pop country-music song album vinyl record"
    " concert gig festival theatre theater cinema film movie show series sitcom romcom anime manga"
    " cartoon documentary western thriller comedy musical horror sci-fi scifi fantasy fiction"
    " non-fiction nonfiction mystery romance novel book comic poetry poem biography podcast audiobook"
    " literature art painting sculpture photography architecture design museum gallery history"
    " philosophy science physics maths math mathematics chemistry biology astronomy geology geography"
    " economics politics psychology linguistics language programming coding robotics technology"
    " mythology archaeology anthropology sociology genealogy sport football soccer rugby cricket tennis"
    " badminton squash golf hockey basketball volleyball baseball handball swimming running jogging"
    " cycling hiking climbing bouldering mountaineering kayaking canoeing rowing sailing surfing skiing"
    " snowboarding skating skateboarding yoga pilates karate judo boxing wrestling fencing archery"
    " dancing dance salsa tango ballroom gymnastics martial-art parkour diving snorkeling snorkelling"
    " fishing hunting camping backpacking travel travelling traveling gardening birdwatching birding"
    " stargazing foraging knitting crochet crocheting sewing quilting embroidery weaving pottery"
    " ceramics woodworking carpentry origami calligraphy drawing sketching watercolour watercolor baking"
    " cooking brewing grilling chess go poker bridge scrabble mahjong sudoku crossword puzzle jigsaw"
    " board-game boardgame video-game videogame game lego karaoke singing writing reading journaling"
    " meditation blogging vlogging painting drumming piano guitar cello violin harp drums flute sax"
    " saxophone banjo car motorbike motorcycle train trains bike boat plane aviation map stamp coin"
    " plant flower garden tree forest wood mountain sea ocean beach lake river desert sky star moon sun"
    " rain snow fog wind thunderstorm storm weather heat cold winter summer spring autumn fall nature"
    " outdoors countryside city sunset sunrise camping shopping museum zoo aquarium thrifting antiques"
    " fashion makeup perfume jewellery jewelry tattoo crowd spreadsheet small-talk loud-music silence"
    " magic astrology tarot trivia quiz bowling darts billiards snooker tv phone-call email dark-mode"
    " window-seat aisle-seat surprise orchid rose tulip sunflower lavender peony daisy restaurant"
    " crowded-train rainy-day sunny-day snowy-day cloudy-day spicy-food early-morning long-walk"
    " night-shift pop-up roller-coaster rollercoaster theme-park amusement-park cruise hotel airport"
    " height heights formula-one f1 nba nfl wrestling esports cosplay larping sauna spa picnic road-trip"
    " mud math"
)
ACTIVE = listed(  # a gerund that says a pastime, whatever its object
    "cooking baking running swimming hiking walking reading travelling traveling dancing singing"
    " painting drawing gardening knitting crocheting sewing cycling biking climbing bouldering skiing"
    " surfing sailing fishing camping writing playing jogging skating rowing meditating watching"
    " collecting birdwatching sleeping photographing restoring building fixing brewing roasting grilling"
    " barbecuing hunting riding driving flying diving sketching doodling composing coding programming"
    " kayaking canoeing snowboarding skateboarding boxing foraging volunteering"
)
FEARS = ANIMALS | listed(
    "height heights flying dark darkness water needle needles injection clown clowns thunder lightning"
    " storm storms thunderstorm dentist dentists doctors lift lifts elevator elevators escalator blood"
    " germ germs ghost ghosts crowd crowds hospital hospitals driving drowning doll dolls balloon"
    " balloons fire tunnel tunnels bridge bridges ocean sea depth spaces public-speaking speaking"
    " fireworks mirrors sharks"
)
ALLERGENS = (
    FOODS
    | ANIMALS
    | DRINKS
    | listed(
        "pollen dust mite mites dander fur feather feathers latex nickel penicillin amoxicillin aspirin ibuprofen"
        " antibiotic antibiotics codeine morphine sulfa mould mold grass ragweed birch hay wool perfume perfumes"
        " fragrance fragrances sulphite sulfite msg sunscreen paracetamol insulin sting stings bites nuts iodine"
        " anaesthetic chlorine detergent silver gold legume legumes crustacean crustaceans mollusc molluscs"
    )
)
LIKEABLE = FOODS | DRINKS | ANIMALS | PURSUITS
COLLECTED = listed(
    "stamp coin record vinyl card postcard figurine figure shell seashell rock stone mineral fossil"
    " watch book comic toy poster plant banknote badge pin mug magnet teapot spoon doll lego sneaker"
    " shoe hat perfume map pen typewriter camera keyboard guitar knife antique painting print photograph"
    " manga crystal bottle bottlecap thimble ticket globe model cd cassette game instrument clock teacup"
    " snowglobe autograph car bike"
)
OWNED = listed(
    "car van truck motorbike motorcycle scooter moped bike bicycle boat yacht canoe kayak house home"
    " flat apartment condo cottage cabin farm land vineyard shop store restaurant cafe café business"
    " company bakery piano guitar violin cello telescope camera drone kiln loom caravan campervan camper"
    " rv tractor horse horses cat cats dog dogs tv television iphone ipad macbook laptop printer"
    " dishwasher microwave bookshop gun"
)
VEHICLES = listed(
    "car van truck lorry motorbike motorcycle scooter moped bus taxi tractor jeep suv pickup minivan"
    " estate hatchback hybrid ev convertible campervan tram forklift cab toyota honda ford nissan mazda"
    " subaru suzuki hyundai kia bmw audi mercedes volkswagen vw golf polo skoda seat renault peugeot"
    " citroen citroën fiat volvo saab tesla chevy chevrolet dodge buick cadillac lexus corolla civic"
    " prius camry fiesta focus mini vespa porsche ferrari jaguar mustang beetle yaris micra clio corsa"
    " astra accord tacoma f-150 outback forester"
)
SUBJECTS = listed(
    "biology chemistry physics maths math mathematics economics law medicine history geography"
    " philosophy psychology sociology anthropology linguistics literature literatures architecture"
    " engineering nursing dentistry pharmacy accounting finance marketing business management journalism"
    " education theology astronomy geology ecology genetics statistics design art arts music theatre"
    " theater film dance photography politics robotics computing programming coding science sciences"
    " studies classics languages forestry agriculture horticulture archaeology aeronautics logistics"
    " criminology translation interpreting drawing painting pottery ceramics calligraphy yoga pilates"
    " piano guitar violin cello drums singing ballet kindergarten pe chess swimming cooking sewing"
    " knitting algebra calculus informatics cybersecurity mechatronics midwifery physiotherapy"
    " veterinary hospitality tourism animation illustration carpentry woodworking welding baking sailing"
    " surfing skiing karate judo juggling tango salsa crochet embroidery magic surgery neuroscience"
    " immunology ethics cs esl ai"
)
_SUBJECT_ENDINGS = ("ology", "onomy", "ography", "istry", "ography", "ematics", "nomics")


def among(word: Word, members: frozenset[str]) -> bool:
    """Whether the word or its singular is in the list."""
    return any(form in members for form in _singulars(word.low))


def _singulars(low: str) -> tuple[str, ...]:
    if not low.endswith("s"):
        return (low,)
    return (low, low[:-1], low[:-2], low[:-3] + "y") if low.endswith("es") else (low, low[:-1])


def headed(piece: list[Word], members: frozenset[str]) -> bool:
    """Whether the noun that the words turn on is in the list: the last, or the one before "with", "of", "in"."""
    head = next((i for i, word in enumerate(piece) if i and word.low in _RELATIVE), len(piece)) - 1
    pair = "-".join(word.low for word in piece[max(head - 1, 0) : head + 1])
    return among(piece[head], members) or any(form in members for form in _singulars(pair))


_RELATIVE = listed("with of in from on about without by for and at")


def is_subject(piece: list[Word]) -> bool:
    """Whether the words name a subject of study."""
    return headed(piece, SUBJECTS) or piece[-1].low.endswith(_SUBJECT_ENDINGS)
