"""Cards that cover what the two specifications define, and fields that neither knows."""

import copy
from typing import Any

BOOK: dict[str, Any] = {
    "name": "Harbour lore",
    "description": "What the keeper knows",
    "scan_depth": 4,
    "token_budget": 300,
    "recursive_scanning": True,
    "extensions": {"shelf/colour": "teal"},
    "unknown_book_field": [1, 2.5, None],
    "entries": [
        {
            "keys": ["lighthouse", "灯塔"],
            "content": "The lighthouse of {{char}} burns whale oil no longer; it runs on a bicycle.",
            "extensions": {"depth": 3, "nested": {"deep": [True, {"deeper": "yes"}]}},
            "enabled": True,
            "insertion_order": 20,
            "case_sensitive": False,
            "name": "Lighthouse",
            "priority": 5,
            "id": 1,
            "comment": "main landmark",
            "selective": True,
            "secondary_keys": ["lamp", "oil"],
            "constant": False,
            "position": "before_char",
        },
        {
            "keys": ["Gull"],
            "content": "Gulls here answer to numbers.",
            "extensions": {},
            "enabled": True,
            "insertion_order": 10,
            "case_sensitive": True,
            "unknown_entry_field": "kept",
        },
        {
            "keys": [],
            "content": "The harbour has two tides a day and opinions about both.",
            "extensions": {},
            "enabled": True,
            "insertion_order": 1,
            "constant": True,
        },
        {"keys": ["fog"], "content": "Off.", "extensions": {}, "enabled": False, "insertion_order": 5},
    ],
}

V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Keeper Ives",
        "description": "{{char}} keeps the harbour light and writes {{user}} letters.\nThey never arrive.",
        "personality": "wry, watchful; fond of weather",
        "scenario": "A storm is two hours out.",
        "first_mes": "Mind the third step, {{user}}.",
        "mes_example": "<START>\n{{user}}: Is it far?\n{{char}}: Farther than it looks.\n<START>\n{{user}}: Hm.",
        "creator_notes": "Best by lamplight.",
        "system_prompt": "Answer as {{char}}, in short paragraphs. {{original}}",
        "post_history_instructions": "Keep the storm in mind.",
        "alternate_greetings": ["Back again?", "The kettle is on."],
        "character_book": BOOK,
        "tags": ["harbour", "灯塔", "Slow"],
        "creator": "the perdure tests",
        "character_version": "1.2",
        "extensions": {"agnai": {"voice": None}, "fav": False, "depth_prompt": {"prompt": "fog", "depth": 4}},
        "unknown_field": {"kept": ["as", "it", "is", 1e-7, 12345678901234567890]},
    },
    "avatar": "none",
    "name": "Keeper Ives",
}

V3: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        **copy.deepcopy(V2["data"]),
        "nickname": "Ives",
        "creator_notes_multilingual": {"en": "Best by lamplight.", "zh": "宜灯下读。"},
        "source": ["https://example.org/ives"],
        "group_only_greetings": ["Oh. There are several of you."],
        "creation_date": 1700000000,
        "modification_date": 0,
        "assets": [
            {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"},
            {"type": "x_smell", "uri": "embeded://assets/other/salt.bin", "name": "salt", "ext": "unknown"},
        ],
        "character_book": {
            **copy.deepcopy(BOOK),
            "entries": [
                *({**copy.deepcopy(entry), "use_regex": False} for entry in BOOK["entries"]),
                {
                    "keys": ["/st[oe]rm(s|y)?\\b/i"],
                    "content": "@@depth 4\n@@@scan_depth 1\n@@exclude_keys calm\n\nStorms are named after aunts.",
                    "extensions": {},
                    "enabled": True,
                    "insertion_order": 2,
                    "use_regex": True,
                },
            ],
        },
    },
}

MINIMAL_V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "Bo", "description": "A barge horse."},
}

NULLS: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        **dict.fromkeys(V2["data"]),
        "name": "Nil",
        "character_book": {"entries": [{"keys": None, "content": None, "insertion_order": None}]},
    },
}

CHINESE: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.1",
    "data": {
        **copy.deepcopy(V3["data"]),
        "name": "小满",
        "nickname": "",
        "personality": "沉静、认真，爱喝茶",
        "description": "{{char}}在巷口修表。",
    },
}

EVERY: dict[str, dict[str, Any]] = {
    "v2": V2,
    "v3": V3,
    "minimal": MINIMAL_V2,
    "nulls": NULLS,
    "chinese, newer": CHINESE,
}
