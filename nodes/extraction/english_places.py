"""Which English words name a place one can live in or come from."""

from .reading import listed

CITIES = listed(
    "afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahrain"
    " bangladesh barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil britain"
    " bulgaria burundi cambodia cameroon canada catalonia chile china colombia congo costa_rica croatia"
    " cuba cyprus czechia denmark ecuador egypt el_salvador england eritrea estonia ethiopia europe fiji"
    " finland france gabon gambia georgia germany ghana greece greenland guatemala guinea haiti holland"
    " honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan"
    " kazakhstan kenya korea south_korea north_korea kosovo kuwait kyrgyzstan laos latvia lebanon"
    " liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia maldives mali malta"
    " mauritius mexico moldova monaco mongolia montenegro morocco mozambique myanmar namibia nepal"
    " netherlands new_zealand nicaragua niger nigeria norway oman pakistan palestine panama paraguay"
    " peru philippines poland portugal puerto_rico qatar romania russia rwanda samoa saudi_arabia"
    " scotland senegal serbia sierra_leone singapore slovakia slovenia somalia south_africa spain"
    " sri_lanka sudan sweden switzerland syria taiwan tajikistan tanzania thailand tibet togo tonga"
    " trinidad tunisia turkey turkmenistan uganda ukraine uk usa uae us uruguay uzbekistan venezuela"
    " vietnam wales yemen zambia zimbabwe amsterdam antwerp athens auckland austin baltimore bangalore"
    " bangkok barcelona basel bath beijing beirut belfast belgrade bergen berlin bern bilbao birmingham"
    " bogota bogotá bologna bordeaux boston brasilia bratislava brighton brisbane bristol brno bruges"
    " brussels bucharest budapest buenos_aires cairo calgary cambridge canberra cape_town cardiff"
    " casablanca charlotte chengdu chennai chicago christchurch cleveland cologne columbus copenhagen"
    " cork cologne dakar dallas damascus delhi new_delhi denver detroit dhaka dresden dubai dublin"
    " dundee durban düsseldorf dusseldorf edinburgh edmonton eindhoven exeter florence frankfurt galway"
    " gdansk geneva genoa ghent glasgow gothenburg granada graz grenoble groningen guangzhou guadalajara"
    " hamburg hangzhou hanoi hanover harare havana helsinki ho_chi_minh hong_kong honolulu houston hull"
    " hyderabad indianapolis innsbruck istanbul jakarta jerusalem johannesburg karachi kathmandu kiev"
    " kyiv kingston kobe kolkata krakow kraków kuala_lumpur kyoto lagos lahore las_vegas lausanne leeds"
    " leicester leiden leipzig leuven lille lima limerick lisbon liverpool ljubljana lodz london"
    " los_angeles la louvain lyon lublin madrid malaga malmö malmo manchester manila marseille melbourne"
    " memphis miami milan milwaukee minneapolis minsk monterrey montevideo montpellier montreal moscow"
    " mumbai munich munster nagoya nairobi nantes naples nashville newcastle new_orleans new_york"
    " new_york_city nyc nice norwich nottingham nuremberg odense odessa orlando osaka oslo ottawa oxford"
    " palermo palma paris perth philadelphia phoenix pisa pittsburgh plymouth porto portland prague"
    " pretoria pune quebec quito reading reykjavik riga rio rio_de_janeiro riyadh rome rotterdam"
    " sacramento salamanca salt_lake_city salzburg san_antonio san_diego san_francisco san_jose santiago"
    " santiago_de_chile são_paulo sao_paulo sapporo sarajevo seattle seoul seville shanghai sheffield"
    " shenzhen sofia southampton split stockholm strasbourg stuttgart suzhou swansea sydney taipei"
    " tallinn tampa tampere tartu tbilisi tehran tel_aviv the_hague hague thessaloniki tilburg tirana"
    " tokyo toronto toulouse trieste trondheim tucson tunis turin turku uppsala utrecht valencia"
    " valletta vancouver venice verona vienna vilnius warsaw washington wellington winnipeg wroclaw"
    " wuhan wrocław xi'an yerevan york zagreb zaragoza zurich zürich alabama alaska arizona arkansas"
    " california colorado connecticut delaware florida hawaii idaho illinois indiana iowa kansas"
    " kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana"
    " nebraska nevada new_hampshire new_jersey new_mexico north_carolina north_dakota ohio oklahoma"
    " oregon pennsylvania rhode_island south_carolina south_dakota tennessee texas utah vermont virginia"
    " west_virginia wisconsin wyoming ontario alberta british_columbia nova_scotia manitoba queensland"
    " tasmania victoria brittany normandy provence bavaria saxony tuscany sicily sardinia andalusia"
    " galicia flanders wallonia kerala punjab goa gujarat bengal rajasthan bali java sumatra hokkaido"
    " brooklyn queens manhattan bronx harlem cornwall devon kent sussex essex surrey norfolk suffolk"
    " dorset somerset yorkshire ulster munster connacht porto_alegre belo_horizonte mexico_city cebu"
    " davao ibadan accra lusaka kigali kampala addis_ababa luanda"
)
_ENDINGS = (
    "burg", "burgh", "bury", "ville", "shire", "wick", "mouth", "chester", "berg", "dorf", "heim", "stadt", "grad",
    "abad", "pur", "polis", "borough", "minster", "hagen", "stan", "landia", "borg", "hamn", "kirk", "haven",
)  # fmt: skip
NOWHERE = listed(
    "mars venus jupiter saturn pluto neptune uranus earth krypton hogwarts narnia atlantis wakanda"
    " asgard gotham mordor westeros winterfell tatooine neverland wonderland heaven hell hyrule"
    " rivendell oz azeroth skyrim whiterun excel word slack discord zoom outlook photoshop notion teams"
    " minecraft roblox hr it legal marketing sales finance accounting support product engineering"
    " operations management plan level chapter step version team phase stage monday tuesday wednesday"
    " thursday friday saturday sunday january february march april june july august september october"
    " november december christmas easter ramadan act page google meta facebook god jesus spotify youtube"
    " netflix twitter instagram tiktok bluey springfield fantasyland middle-earth valhalla fear denial"
    " chaos pajamas pyjamas sweatpants leggings jeans arrears"
)


def known_place(name: str) -> bool:
    """Whether a lower-case name is one of a place."""
    return name in CITIES or (" " not in name and len(name) > 6 and name.endswith(_ENDINGS))
