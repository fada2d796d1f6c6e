"""What is wrong with a persona or a card, in words: which field, and by how much, never what stands in it."""

from pydantic import ValidationError

SHOWN = 5


def told(error: ValidationError, at: str = "") -> str:
    """The faults of a validation as one line, the first few of them; `at` is where the fields stand."""
    faults = []
    for fault in error.errors(include_url=False):
        field = ".".join(str(part)[:40] for part in ((at, *fault["loc"]) if at else fault["loc"]))
        given, context = fault["input"], fault.get("ctx", {})
        match fault["type"]:
            case "missing":
                faults.append(f"field {field!r} is missing")
            case "extra_forbidden" | "invalid_key":
                faults.append(f"field {field!r} is unknown")
            case "value_error":
                faults.append(f"field {field!r} {fault['msg'].removeprefix('Value error, ')}")
            case "string_too_long":
                size = f" (it has {len(given):,})" if isinstance(given, str) else ""
                faults.append(
                    f"field {field!r}: String should have at most {context['max_length']} characters{size}"
                )
            case _:
                faults.append(f"field {field!r}: {fault['msg']}")
    more = f" (and {len(faults) - SHOWN} more)" if len(faults) > SHOWN else ""
    return f"{'; '.join(faults[:SHOWN])}{more}"
