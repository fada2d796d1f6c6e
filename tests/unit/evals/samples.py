"""Small conversations in both layouts, written for these tests."""

from typing import Any

LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Rosa",
            "speaker_b": "Luna",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Rosa", "dia_id": "D1:1", "text": "I bought a kayak, a red one."},
                {"speaker": "Luna", "dia_id": "D1:2", "text": "Will you name it?"},
                {
                    "speaker": "Rosa",
                    "dia_id": "D1:3",
                    "text": "It is called Heron, look!",
                    "blip_caption": "a red boat on a lawn",
                },
            ],
            "session_2_date_time": "9:05 am on 2 June, 2023",
            "session_2": [
                {"speaker": "Rosa", "dia_id": "D2:1", "text": "My brother Paul is a beekeeper in Graz."},
                {
                    "speaker": "Luna",
                    "dia_id": "D2:2",
                    "text": "Try the tart with honey, <it> is good & sweet.",
                },
                {"speaker": "Rosa", "dia_id": "D2:3", "text": "We paddled down the Mur for two hours."},
            ],
            "session_3_date_time": "9:05 am on 3 June, 2023",
        },
        "qa": [
            {"question": "What is the kayak called?", "answer": "Heron", "evidence": ["D1:3"], "category": 4},
            {"question": "Which boat trips?", "evidence": ["D1:1; D2:3"], "category": 1},
            {"question": "When did we paddle?", "evidence": ["D2:03", "D"], "category": 2},
            {"question": "What does Luna's brother do?", "evidence": ["D2:1"], "category": 5},
            {"question": "Is Rosa tall?", "evidence": [], "category": 3},
        ],
    }
]

LONGMEMEVAL: list[dict[str, Any]] = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which kayak did I buy?",
        "question_date": "2023/06/30 (Fri) 10:00",
        "haystack_session_ids": ["s-boat", "s-bees", "s-boat"],
        "haystack_dates": ["2023/06/02 (Fri) 09:05", "2023/05/08 (Mon) 13:56", "2023/06/05 (Mon) 08:00"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I bought a kayak, a red one.", "has_answer": True},
                {"role": "assistant", "content": "Have fun on the water!"},
            ],
            [
                {"role": "user", "content": "How do I keep bees warm?"},
                {"role": "assistant", "content": "Wrap the hive."},
            ],
            [{"role": "user", "content": "The paddle came too."}],
        ],
        "answer_session_ids": ["s-boat"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "single-session-user",
        "question": "Which sailing boat did I buy?",
        "question_date": "2023/06/30",
        "haystack_session_ids": ["s-bees"],
        "haystack_dates": ["2023/05/08 (Mon) 13:56"],
        "haystack_sessions": [[{"role": "user", "content": "How do I keep bees warm?"}]],
        "answer_session_ids": ["s-bees"],
    },
]
