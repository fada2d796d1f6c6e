"""What is too secret to remember: keys, card numbers, passwords, codes that open doors. Pure.

Said in a conversation it stays in that conversation, as anything said does; it becomes no memory. `learning` asks
here, so every way of writing a memory does.
"""

import re

REFUSAL = "it is a secret (a password, key, code or card number), and secrets are not remembered"

_TOKEN = re.compile(
    r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}"
    r"|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bnpm_[A-Za-z0-9]{30,}|\bya29\.[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|-----BEGIN (?:[A-Z ]+ )?PRIVATE KEY-----"
    r"|\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp|https?)://[^\s/:@]+:[^\s/@]{3,}@"
)
_DIGITS = re.compile(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?![\w])")
_NAMED = re.compile(
    r"\b(?:pass(?:word|code|phrase|wd)|pwd|pin(?: ?code| number)?|api[ _-]?key|secret[ _-]key"
    r"|access[ _-](?:key|token|code)"
    r"|auth(?:entication)?[ _-]token|private[ _-]key|seed[ _-]phrase|recovery (?:code|phrase|key)|cvv|cvc|2fa|otp"
    r"|(?:door|gate|alarm|entry|access|security|safe|lock|locker|vault|garage|verification|unlock|backup|login|wi-?fi)"
    r" (?:code|combination|pin|password|key))s?\b",
    re.I,
)
_NAMED_ZH = re.compile(
    "密码(?!学)|密碼(?!學)|口令|密钥|密鑰|验证码|驗證碼|门禁码|門禁碼|开门码|安全码|暗号|暗號|助记词|助記詞"
)
_GIVEN = re.compile(
    r"(?:\b(?:is|are|was|=|now)\b|[:=：]|是|为|為)\s*[\"'“]?(?P<value>[^\s\"'”，。,]{3,})|(?P<digits>\d[\d -]{2,}\d)",
    re.I,
)
_WORDS_OF_TALK = frozenset(
    "the a an my your too very not so long short strong weak secure safe wrong right good bad old new lost"
    " forgotten hard easy missing broken expired required important different same always never in on at that"
    " this it what".split()
)


def is_secret(text: str) -> bool:
    """Whether the words hold a secret: something shaped like a key or card number, or named as one and given."""
    if _TOKEN.search(text) or any(_luhn(re.sub(r"\D", "", found)) for found in _DIGITS.findall(text)):
        return True
    for named in (*_NAMED.finditer(text), *_NAMED_ZH.finditer(text)):
        given = _GIVEN.search(text, named.end(), named.end() + 60)
        if given and (given["digits"] or _opaque(given["value"])):
            return True
        if re.search(r"\d[\d -]{2,}\d\W*(?:\w+\W+){0,3}$", text[max(0, named.start() - 30) : named.start()]):
            return True
    return False


def names_secret(attribute: str, value: str) -> bool:
    """Whether a fact says a secret by its attribute: `door_code`, "7-3-9-1"."""
    label = attribute.replace("_", " ")
    return bool(_NAMED.search(label) or _NAMED_ZH.search(label)) and _opaque(value.strip().split(" ")[-1])


def _opaque(value: str) -> bool:
    """Whether a word may be a secret itself, rather than talk about one ("my password is too long")."""
    plain = value.strip(".!?,;:\"'”。！？").casefold()
    return len(plain) >= 3 and plain not in _WORDS_OF_TALK


def _luhn(digits: str) -> bool:
    """Whether the digits carry the check digit of a payment card."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0
