"""A year with one user, as a script: 120 sessions, one every three days, and what is said in each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
SESSIONS = 120
EVERY = timedelta(days=3)

_HOURS = (9, 14, 19, 11, 16, 20)
_SEEN = """
    lantern kettle anchor ladder violet pebble magnet ribbon saddle turnip beacon goblet marble puddle sundial thistle
    walrus zipper acorn bucket candle dragonfly easel feather gondola hammock icicle jigsaw kayak lighthouse mosaic
    nutmeg orchid parasol quiver rooster scarecrow tambourine umbrella vase windmill xylophone yacht zeppelin almanac
    barometer compass dulcimer engine fiddle gazebo harpoon inkwell javelin kimono lattice mandolin nozzle obelisk
""".split()


@dataclass(frozen=True)
class Talk:
    """One session: when it is held, and what the user says."""

    number: int
    at: datetime
    said: tuple[str, ...]


def talks() -> Iterator[Talk]:
    """The year, in order."""
    for number in range(SESSIONS):
        hour = timedelta(hours=_hour(number))
        said = [*_told(number), *_once(number), f"I saw a {_SEEN[number % len(_SEEN)]} today."]
        yield Talk(number, BEGAN + number * EVERY + hour, tuple(said))


def _hour(number: int) -> float:
    if number == 15:
        return 6.25  # once, for the ferry
    if number % 3 == 0 and number < 50:
        return 0.5  # works at night until the end of May
    if number % 3 == 0 and number >= 54:
        return 6.5  # and early in the morning from then on
    return _HOURS[number % len(_HOURS)]


def _told(number: int) -> Iterator[str]:
    """What stays, and what changes for good."""
    if number == 0:
        yield "My name is Ana. I live in Ghent. I am allergic to walnuts."
    if number == 50:
        yield "I moved to Lyon."
    if number % 40 == 10:
        yield "I play the viola."
    if number % 4 == 1:
        yield "Please translate this letter."
    if number % 3 == 0 and number != 15:
        yield "I committed the parser code." if number < 50 else "I pushed the release."
    if number % 4 == 2:
        yield "I lost at chess." if number < 45 else "I was at pottery again."
    if 10 <= number < 20:  # guests for a month: three things at once
        yield "Answer in French for once. Explain it in simple terms. This time say it in a gentle way."
    if 74 <= number < 90:  # two hard months: three things at once
        yield "I'm so stressed about the move. Keep it short this time. Answer in bullet points this time."
    if number >= 90 and number % 5 == 0:
        yield "Keep it short this time."


def _once(number: int) -> Iterator[str]:
    """Six things that happen once, or twice in a row, and are no habit."""
    once = {
        5: "Answer in a table, just this once.",
        15: "I was up early for the ferry.",
        23: "lol, that was a joke.",
        33: "I tried skydiving.",
        34: "I tried skydiving again.",
        43: "I wore a blue shirt today.",
        64: "Recommend a novel please. Recommend a second novel please.",
    }
    if number in once:
        yield once[number]
