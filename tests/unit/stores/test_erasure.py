"""What a request means, what it takes along, and what stays."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from perdure.stores.chroma_index import open_index
from perdure.stores.embedding import Embedder
from perdure.stores.erasure.inspection import traces, unknown
from perdure.stores.erasure.values import Reason, Selection
from perdure.stores.errors import NotFound
from perdure.stores.forgetting import Forgetting, together
from perdure.stores.indexer import Indexer
from perdure.stores.memory_store import MemoryStore
from perdure.stores.profile.profiles import Profiles
from perdure.stores.profile.values import Change, ProfileLine, Source
from perdure.stores.records import Candidate, Insight, Kind, Message, Origin, Role, Scope, Span, Status

from ...conftest import ManualClock
from ...embeddings import HashingEmbeddings


@pytest.fixture
def forgetting(store: MemoryStore) -> Iterator[Forgetting]:
    indexer = Indexer(store, Embedder(HashingEmbeddings()), None, background=False)
    yield Forgetting(indexer)
    indexer.close()


def tell(
    store: MemoryStore, scope: Scope, session: str, content: str, *facts: tuple[str, str, str], **more: object
) -> Message:
    """Say `content`, and learn facts of (words, attribute, value) from it."""
    said = store.save_message(scope, session, "user", content)
    candidates = []
    for words, attribute, value in facts:
        start = content.index(words)
        span = Span(said.id, start, start + len(words))
        statement = f"{attribute.replace('_', ' ')} {value}"
        given = {"subject": "user", **more}
        candidates.append(
            Candidate(attribute=attribute, value=value, statement=statement, span=span, **given)
        )  # type: ignore[arg-type]
    learned = store.learn(scope, candidates)
    assert not learned.rejected
    return said


def forget(forgetting: Forgetting, scope: Scope, words: str) -> None:
    found = forgetting.find(scope, words)
    assert found
    assert forgetting.erase(scope, together(found)) is not None
    assert forgetting.settle() is None


def everything_said(store: MemoryStore, scope: Scope, session: str = "s1") -> list[str]:
    return [m.content for m in store.session_messages(scope, session)]


def test_forgetting_one_fact_leaves_its_neighbour_with_its_quote(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(
        store, ana, "s1", "I live in Ghent and work at Lumen.",
        ("I live in Ghent", "lives_in", "Ghent"), ("work at Lumen", "works_at", "Lumen"),
    )  # fmt: skip
    forget(forgetting, ana, "that I work at Lumen")
    [kept] = store.memories(ana, status=None)
    assert [quote for _, quote in store.quotes(ana, kept)] == ["I live in Ghent"]
    assert everything_said(store, ana) == ["I live in Ghent"]
    assert store.verify(ana) == []


@pytest.mark.parametrize("words", ["my job", "that I mentioned my job", "forget my job please", "我的工作"])
def test_a_topic_finds_what_is_stored_under_another_word(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, words: str
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    tell(store, ana, "s1", "I like tea.", ("I like tea", "likes", "tea"))
    [match] = forgetting.find(ana, words)
    assert match.sure
    assert "Lumen" in match.preview


def test_distinct_matches_are_told_apart(store: MemoryStore, forgetting: Forgetting, ana: Scope) -> None:
    for place, number in (("gym", "114"), ("office", "115")):
        words = f"My {place} locker is number {number}"
        tell(store, ana, "s1", words, (words, f"{place}_locker", number))
    found = forgetting.find(ana, "my locker")
    assert len(found) == 2
    gym = next(match for match in found if "114" in match.preview)
    forgetting.erase(ana, gym.selection)
    assert [m.value for m in store.memories(ana)] == ["115"]
    assert everything_said(store, ana) == ["My office locker is number 115"]


def test_what_is_not_there_is_not_found(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, ben: Scope
) -> None:
    tell(store, ana, "s1", "I live in Ghent.", ("I live in Ghent", "lives_in", "Ghent"))
    assert forgetting.find(ana, "my blood type") == []
    assert forgetting.find(ben, "that I live in Ghent") == []
    assert forgetting.erase(ana, Selection(Reason.WORDS)) is None
    assert forgetting.log() == []


def test_a_fact_goes_with_what_it_superseded_and_what_repeats_it(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, clock: ManualClock
) -> None:
    for place in ("Ghent", "Lyon"):
        tell(store, ana, "s1", f"I live in {place}.", (f"I live in {place}", "lives_in", place))
        store.save_message(ana, "s1", "assistant", f"Ah, {place}. A fine town.")
        clock.move(days=30)
    forget(forgetting, ana, "that I live in Ghent")
    assert [m.value for m in store.memories(ana, status=None)] == ["Lyon"]
    assert everything_said(store, ana) == ["A fine town.", "I live in Lyon.", "Ah, Lyon. A fine town."]
    assert store.verify(ana) == []


def test_the_past_stays_past_when_what_took_its_place_is_forgotten(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, clock: ManualClock
) -> None:
    for place in ("Ghent", "Lyon"):
        tell(store, ana, "s1", f"I live in {place}.", (f"I live in {place}", "lives_in", place))
        clock.move(days=30)
    [match] = forgetting.find(ana, "that I live in Lyon")
    forgetting.erase(ana, match.selection)
    [old] = store.memories(ana, status=None)
    assert (old.value, old.status, old.superseded_by) == ("Ghent", Status.SUPERSEDED, None)
    assert store.memories(ana) == []
    tell(store, ana, "s1", "I live in Zagreb.", ("I live in Zagreb", "lives_in", "Zagreb"))
    tell(store, ana, "s1", "I live in Zagreb, yes.", ("I live in Zagreb", "lives_in", "Zagreb"))
    assert [m.value for m in store.memories(ana)] == ["Zagreb"]
    assert store.verify(ana) == []


def test_somebody_elses_fact_with_the_same_word_is_another_match(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    sister = ("sister works at Lumen", "works_at", "Lumen")
    tell(store, ana, "s1", "My sister works at Lumen.", sister, subject="user's sister")
    found = forgetting.find(ana, "that I work at Lumen")
    assert len(found) == 2
    mine = next(match for match in found if not match.preview.startswith("user's sister"))
    erased = forgetting.erase(ana, mine.selection)
    assert erased is not None
    assert [m.subject for m in erased.kept] == ["user's sister"]
    assert everything_said(store, ana) == ["My sister works at Lumen."]


def test_the_request_itself_goes_when_it_says_what_it_asks_to_forget(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    store.save_message(ana, "s1", "user", "Please forget that I work at Lumen.")
    forget(forgetting, ana, "that I work at Lumen")
    assert everything_said(store, ana) == []


def test_words_that_never_became_a_memory_are_found_in_what_was_said(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    store.save_message(ana, "s1", "user", "Nice day. My door code is 7-3-9-1, by the way.")
    store.save_message(ana, "s1", "assistant", "Got it: 7-3-9-1.")
    forget(forgetting, ana, "my door code")
    assert everything_said(store, ana) == ["Nice day."]


def summarize(store: MemoryStore, scope: Scope, session: str, summary: str, **more: object) -> None:
    store.end_session(scope, session)
    claim = store.claim("test", scope=scope, session_id=session)
    assert claim is not None
    store.commit(claim, Insight(summary=summary, **more))  # type: ignore[arg-type]


def summarized_days(store: MemoryStore, scope: Scope, words: str, days: int, topic: str) -> list[Message]:
    """The same words on many days, each day quoted by its summary and taken up by the agent."""
    said = []
    for day in range(days):
        said.append(store.save_message(scope, f"d{day}", "user", words))
        store.save_message(scope, f"d{day}", "assistant", f"Again the {topic}. Take a walk.")
        summarize(store, scope, f"d{day}", f"The user said: “{words}”. It was late.", topics=(topic, "walks"))
    return said


def everything_remembered(store: MemoryStore, scope: Scope, days: int) -> str:
    said = [content for day in range(days) for content in everything_said(store, scope, f"d{day}")]
    known = [f"{memory.statement} {memory.detail}" for memory in store.memories(scope, status=None)]
    return "\n".join(said + known)


def profile_line(store: MemoryStore, scope: Scope, text: str, key: str, cited: list[Message]) -> None:
    spans = tuple(Span(message.id, 0, len(message.content)) for message in cited)
    cites = tuple(message.id for message in cited)
    profiles = Profiles(store)
    profiles.apply(
        scope,
        [Change("add", None, ProfileLine(store.ids(), key, text, cites=cites, evidence=spans))],
        source=Source.REFLECTION,
        distance=0.1,
        base=profiles.version(scope),
        why="within the threshold",
    )


@pytest.mark.parametrize("lines", [(), ("zorblax",), ("zorblax", "project")])
def test_every_sentence_and_summary_that_says_it_goes_whatever_became_of_some(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, lines: tuple[str, ...]
) -> None:
    said = summarized_days(store, ana, "My Zorblax project is stuck again.", 12, "Zorblax project")
    for topic in lines:
        profile_line(store, ana, f"Often talks about {topic}.", f"topic:{topic}", said[:4])
    [match] = forgetting.find(ana, "my Zorblax project")
    assert match.sure
    assert forgetting.still_says(ana, "my Zorblax project")
    forgetting.erase(ana, match.selection)
    assert "zorblax" not in everything_remembered(store, ana, 12).casefold()
    assert not forgetting.still_says(ana, "my Zorblax project")
    assert store.verify(ana) == []


@pytest.mark.parametrize("words", ["my thesis", "that I often talk about my thesis"])
def test_a_profile_line_goes_with_every_sentence_that_says_what_it_is_about(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, words: str
) -> None:
    said = summarized_days(store, ana, "The thesis is not going well.", 6, "thesis")
    store.save_message(ana, "d0", "user", "Photosynthesis is fun.")
    profile_line(store, ana, "Often talks about thesis.", "topic:thesis", said[:4])
    [match] = forgetting.find(ana, words)
    assert match.sure
    assert match.preview == "Often talks about thesis."
    forgetting.erase(ana, match.selection)
    left = everything_remembered(store, ana, 6)
    assert "Photosynthesis is fun." in left
    assert "thesis" not in left.replace("Photosynthesis", "")
    assert "Take a walk." in left
    assert store.verify(ana) == []


def test_more_sentences_go_than_one_search_looks_at(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    for number in range(320):
        store.save_message(ana, f"s{number % 3}", "user", "The thesis is late.")
    forget(forgetting, ana, "my thesis")
    assert [everything_said(store, ana, f"s{number}") for number in range(3)] == [[], [], []]


def test_summaries_and_topics_lose_what_is_forgotten(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    tell(store, ana, "s1", "I like tea.", ("I like tea", "likes", "tea"))
    summarize(store, ana, "s1", "They work at Lumen. They like tea.", topics=("Lumen", "tea"))
    forget(forgetting, ana, "that I work at Lumen")
    [episode] = store.memories(ana, kind=Kind.EPISODE)
    assert episode.statement == "They like tea."
    assert episode.detail["topics"] == ["tea"]
    assert store.relationship(ana).topics == ("tea",)
    assert store.verify(ana) == []


def test_a_summary_of_nothing_else_goes(store: MemoryStore, forgetting: Forgetting, ana: Scope) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    summarize(store, ana, "s1", "They work at Lumen.")
    forget(forgetting, ana, "that I work at Lumen")
    assert store.memories(ana, kind=Kind.EPISODE, status=None) == []


def test_a_late_write_under_a_forgotten_id_is_passed_over_and_telling_it_anew_is_news(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    said = tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    forget(forgetting, ana, "that I work at Lumen")
    store.record_turn(ana, "s1", [said])
    store.receive(ana, "s1", said.content, message_id=said.id)
    assert everything_said(store, ana) == []
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    assert [m.value for m in store.memories(ana)] == ["Lumen"]


def test_a_consolidation_under_way_loses_its_lease(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I work at Lumen. I like tea.", ("I work at Lumen", "works_at", "Lumen"))
    store.end_session(ana, "s1")
    claim = store.claim("test", scope=ana, session_id="s1")
    assert claim is not None
    forget(forgetting, ana, "that I work at Lumen")
    with pytest.raises(Exception, match="taken over"):
        store.commit(claim, Insight(summary="They work at Lumen."))
    again = store.claim("other", scope=ana, session_id="s1")
    assert again is not None
    assert [m.content for m in again.messages] == ["I like tea."]


def test_only_what_is_old_goes_before_a_date(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, clock: ManualClock
) -> None:
    tell(store, ana, "s1", "I like opera.", ("I like opera", "likes", "opera"))
    tell(store, ana, "s1", "I like tea.", ("I like tea", "likes", "tea"))
    clock.move(days=100)
    tell(store, ana, "s2", "I like jazz.", ("I like jazz", "likes", "jazz"))
    tell(store, ana, "s2", "I like tea.", ("I like tea", "likes", "tea"))
    forgetting.erase_before(ana, clock.now - timedelta(days=90))
    assert sorted(m.value for m in store.memories(ana)) == ["jazz", "tea"]
    assert everything_said(store, ana, "s1") == []
    assert everything_said(store, ana, "s2") == ["I like jazz.", "I like tea."]
    assert store.verify(ana) == []


def test_a_session_goes_with_what_rests_on_it_alone(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I like tea.", ("I like tea", "likes", "tea"))
    tell(store, ana, "s1", "I like opera.", ("I like opera", "likes", "opera"))
    summarize(store, ana, "s1", "Tea and opera.", topics=("opera",))
    tell(store, ana, "s2", "I like tea.", ("I like tea", "likes", "tea"))
    erased = forgetting.erase_session(ana, "s1")
    assert erased is not None
    assert [m.value for m in store.memories(ana, kind=Kind.FACT)] == ["tea"]
    assert store.memories(ana, kind=Kind.EPISODE) == []
    assert store.relationship(ana).topics == ()
    assert store.verify(ana) == []


def test_a_user_ends_and_may_begin_anew(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, ben: Scope
) -> None:
    for scope in (ana, ben):
        tell(store, scope, f"s {scope.user_id}", "I like tea.", ("I like tea", "likes", "tea"))
    other = MemoryStore(store.home)  # another process that knows the scope
    assert other.memories(ana)
    key = store.scope_key(ana)
    erased = forgetting.erase_everything(ana)
    assert erased is not None
    assert erased.counts == {"fact": 1, "message": 1}
    assert forgetting.settle() is None
    assert store.memories(ana, status=None) == []
    assert other.memories(ana, status=None) == []
    assert len(store.memories(ben)) == 1
    other.save_message(ana, "s9", "user", "hello again")
    assert store.scope_key(ana) != key
    assert everything_said(other, ana, "s9") == ["hello again"]
    other.close()


def test_exact_ids_work_and_unknown_ones_are_refused(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, ben: Scope
) -> None:
    tell(store, ana, "s1", "I like tea.", ("I like tea", "likes", "tea"))
    [fact] = store.memories(ana)
    store.save_message(ben, "sb", "user", "hi")
    for scope, memory_id in ((ana, "nothing-like-it"), (ben, fact.id)):
        with pytest.raises(NotFound):
            forgetting.exactly(scope, [memory_id])
    forgetting.erase(ana, together(forgetting.exactly(ana, [fact.id[:6]])))
    assert store.memories(ana, status=None) == []


def test_the_log_says_when_who_and_how_many_and_nothing_of_what(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, clock: ManualClock
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    forget(forgetting, ana, "that I work at Lumen")
    [line] = forgetting.log(ana)
    assert (line.at, line.actor, line.reason) == (clock.now, "api", "words")
    assert line.counts == {"fact": 1, "message": 1}
    assert line.settled_at == clock.now
    assert "Lumen" not in repr(line)


def test_a_preview_changes_nothing(store: MemoryStore, forgetting: Forgetting, ana: Scope) -> None:
    said = tell(store, ana, "s1", "I work at Lumen. Hi.", ("I work at Lumen", "works_at", "Lumen"))
    shown = forgetting.preview(ana, together(forgetting.find(ana, "my work")))
    assert [m.value for m in shown.memories] == ["Lumen"]
    assert [m.id for m in shown.removed] == [said.id]
    assert len(store.memories(ana)) == 1
    assert forgetting.log() == []


def test_an_answer_that_was_only_a_yes_goes_with_its_question(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    question = store.save_message(ana, "s1", Role.ASSISTANT, "Do you live in Ghent?")
    yes = store.save_message(ana, "s1", Role.USER, "Yes")
    store.learn(
        ana,
        [
            Candidate(
                "user", "lives_in", "Ghent", "Lives in Ghent.", Span(yes.id, 0, 3),
                origin=Origin.CONFIRMED, question=Span(question.id, 0, len(question.content)),
            )
        ],
    )  # fmt: skip
    forget(forgetting, ana, "where I live")
    assert everything_said(store, ana) == []


def test_self_memory_and_follow_ups_that_say_it_go_too(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    reply = store.save_message(ana, "s1", "assistant", "I find Lumen a fine place. I love tea.")
    for value in ("Lumen a fine place", "tea"):
        start = reply.content.index(value)
        span = Span(reply.id, start, start + len(value))
        store.learn(
            ana,
            [Candidate("agent", "said", value, f"Said: {value}", span, kind=Kind.SELF, origin=Origin.SAID)],
        )
    forget(forgetting, ana, "my job")
    assert [m.value for m in store.memories(ana, kind=Kind.SELF, status=None)] == ["tea"]
    assert everything_said(store, ana) == ["I love tea."]


@pytest.mark.parametrize(
    ("said", "asked_for", "word"),
    [
        ("My therapist is called Dr. Zebrano and I see her on Mondays.", "about my therapist", "Zebrano"),
        ("I was diagnosed with zebritis last year.", "that I was diagnosed with zebritis", "zebritis"),
        ("My e-mail is zebra.k@example.org.", "my email address", "zebra.k"),
        ("My phone is +32 470 12 34 56, call me.", "my phone number", "12 34 56"),
        ("We met Mr. J. Zebrinski at the fair.", "about Zebrinski", "Zebrinski"),
    ],
)
def test_what_no_memory_holds_is_forgotten_with_the_request_for_it(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, said: str, asked_for: str, word: str
) -> None:
    store.save_message(ana, "s1", "user", f"{said} I like tea.")
    store.save_message(ana, "s1", "user", f"Please forget {asked_for}.")
    forget(forgetting, ana, asked_for)
    assert everything_said(store, ana) == ["I like tea."]
    assert traces(store.home, [word]) == []


def test_a_fact_that_says_a_part_of_a_name_goes_with_the_sentence_that_says_it_all(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    words = "I work for Zebra & Sons Ltd."
    tell(store, ana, "s1", f"{words} I like tea.", (words, "works_at", "Zebra"))
    forget(forgetting, ana, "that I work for Zebra & Sons Ltd")
    assert store.memories(ana, status=None) == []
    assert everything_said(store, ana) == ["I like tea."]


def test_several_things_asked_for_at_once_are_told_apart(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(store, ana, "s1", "I work at Lumen.", ("I work at Lumen", "works_at", "Lumen"))
    tell(store, ana, "s1", "I live in Ghent.", ("I live in Ghent", "lives_in", "Ghent"))
    tell(store, ana, "s1", "I like tea.", ("I like tea", "likes", "tea"))
    found = forgetting.find(ana, "my job and my address")
    assert [match.preview for match in found] == ["works at Lumen", "lives in Ghent"]


def test_an_old_address_is_the_one_that_holds_no_more(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, clock: ManualClock
) -> None:
    tell(store, ana, "s1", "I live in Zebrastreet.", ("I live in Zebrastreet", "lives_in", "Zebrastreet"))
    clock.move(days=30)
    tell(store, ana, "s2", "I live in Ghent.", ("I live in Ghent", "lives_in", "Ghent"))
    forget(forgetting, ana, "my old address")
    assert [m.value for m in store.memories(ana, status=None)] == ["Ghent"]
    assert traces(store.home, ["Zebrastreet"]) == []


def test_topics_lose_the_parts_of_a_forgotten_name(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    tell(
        store,
        ana,
        "s1",
        "I am Jana Zebramüller. I like tea.",
        ("I am Jana Zebramüller", "name", "Jana Zebramüller"),
    )
    store.end_session(ana, "s1")
    claim = store.claim("test", scope=ana, session_id="s1")
    assert claim is not None
    store.commit(claim, Insight(summary="They like tea.", topics=("tea", "zebramüller", "jana")))
    forget(forgetting, ana, "my name")
    assert store.relationship(ana).topics == ("tea",)
    assert traces(store.home, ["zebramüller"]) == []


def test_a_scope_that_ended_gets_no_collection_anew_before_it_has_settled(tmp_path: Path, ana: Scope) -> None:
    store = MemoryStore(tmp_path)
    indexer = Indexer(
        store, Embedder(HashingEmbeddings()), lambda: open_index(tmp_path / "index"), background=False
    )
    store.save_message(ana, "s1", "user", "I live in Ghent.")
    indexer.embed_due(ana)
    forgetting = Forgetting(indexer)
    assert forgetting.erase_everything(ana) is not None
    indexer.catch_up()  # what a worker does that knows the scope from before
    with indexer.exclusively() as index:
        assert index is not None
        assert index.names("") == []
    assert forgetting.settle() is None
    assert unknown(indexer) == []
    indexer.close()
    store.close()


@pytest.mark.parametrize("words", ["我在红杉上班", "把我在红杉上班的事", "我在红杉上班的事"])
def test_words_of_the_message_find_the_fact_that_rests_on_them(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, words: str
) -> None:
    tell(store, ana, "s1", "我在红杉上班。我喜欢喝茶。",
        ("我在红杉上班", "works_at", "红杉"), ("我喜欢喝茶", "likes", "喝茶"))  # fmt: skip
    [match] = forgetting.find(ana, words)
    assert match.kind is Kind.FACT
    forget(forgetting, ana, words)
    assert [m.value for m in store.memories(ana, status=None)] == ["喝茶"]
    assert everything_said(store, ana) == ["我喜欢喝茶。"]
    assert store.verify(ana) == []


@pytest.mark.parametrize(
    ("content", "value", "term"),
    [("我在红杉上班。", "红杉", "红杉上班"), ("I work at Lumen Labs.", "Lumen", "Lumen Labs")],
)
def test_no_fact_outlives_the_words_it_rests_on(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, content: str, value: str, term: str
) -> None:
    tell(store, ana, "s1", content, (content[:-1], "works_at", value))
    assert forgetting.erase(ana, Selection(Reason.WORDS, terms=frozenset([term]))) is not None
    assert store.memories(ana, status=None) == []
    assert everything_said(store, ana) == []


def tell_of_a_cat(store: MemoryStore, scope: Scope, content: str, pet: str, name: str) -> None:
    said = store.save_message(scope, "s1", "user", content)
    span = Span(said.id, 0, len(content) - 1)
    named = f"猫的名字是{name}。" if pet == "猫" else f"Cat's name is {name}."
    facts = [("user", "has_pet", pet, f"has {pet}"), ("user's cat", "name", name, named)]
    assert not store.learn(
        scope,
        [
            Candidate(subject=subject, attribute=attribute, value=value, statement=statement, span=span)
            for subject, attribute, value, statement in facts
        ],
    ).rejected


@pytest.mark.parametrize(
    ("content", "pet", "name", "words"),
    [
        ("我养了一只猫叫豆包。", "猫", "豆包", "我的猫"),
        ("I have a cat called Biscuit.", "cat", "Biscuit", "my cat"),
    ],
)
def test_a_pet_and_its_name_are_one_topic_and_go_with_their_words(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, content: str, pet: str, name: str, words: str
) -> None:
    tell_of_a_cat(store, ana, content, pet, name)
    [match] = forgetting.find(ana, words)
    assert match.sure
    forget(forgetting, ana, words)
    assert store.memories(ana, status=None) == []
    assert everything_said(store, ana) == []


@pytest.mark.parametrize(
    ("content", "pet", "name"),
    [("我养了一只猫叫豆包。", "猫", "豆包"), ("I have a cat called Biscuit.", "cat", "Biscuit")],
)
def test_erasing_one_fact_by_its_id_takes_what_would_keep_its_words(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, content: str, pet: str, name: str
) -> None:
    tell_of_a_cat(store, ana, content, pet, name)
    [owner] = [m for m in store.memories(ana) if m.attribute == "has_pet"]
    assert forgetting.erase(ana, together(forgetting.exactly(ana, [owner.id]))) is not None
    assert store.memories(ana, status=None) == []
    assert everything_said(store, ana) == []


def test_a_fact_stays_when_the_forgotten_words_can_be_cut_out_of_its_own(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    content = "I work at Lumen in Ghent"
    tell(store, ana, "s1", content, (content, "works_at", "Lumen"), (content, "lives_in", "Ghent"))
    forget(forgetting, ana, "that I work at Lumen")
    assert [m.value for m in store.memories(ana, status=None)] == ["Ghent"]
    assert everything_said(store, ana) == ["I work at […] in Ghent"]
    assert store.verify(ana) == []


@pytest.mark.parametrize(
    ("content", "name", "age", "statements", "words"),
    [
        ("我女儿叫小雨，今年六岁。", ("我女儿叫小雨", "小雨"), ("今年六岁", "六"),
         ("女儿是小雨。", "女儿六岁。"), "我女儿的事"),
        ("My daughter is Ada and she is 6.", ("My daughter is Ada", "Ada"), ("she is 6", "6"),
         ("Daughter is Ada.", "Daughter is 6."), "my daughter"),
    ],
)  # fmt: skip
def test_a_request_that_names_somebody_takes_all_that_was_told_of_them(
    store: MemoryStore,
    forgetting: Forgetting,
    ana: Scope,
    content: str,
    name: tuple[str, str],
    age: tuple[str, str],
    statements: tuple[str, str],
    words: str,
) -> None:
    said = store.save_message(ana, "s1", "user", content)
    told = [("user", "daughter", *name, statements[0]), ("user's daughter", "age", *age, statements[1])]
    candidates = []
    for subject, attribute, quote, value, statement in told:
        start = content.index(quote)
        span = Span(said.id, start, start + len(quote))
        candidates.append(
            Candidate(subject=subject, attribute=attribute, value=value, statement=statement, span=span)
        )
    assert not store.learn(ana, candidates).rejected
    [match] = forgetting.find(ana, words)
    assert match.sure
    forget(forgetting, ana, words)
    assert store.memories(ana, status=None) == []
    assert everything_said(store, ana) == []


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("Stop remembering my diagnosis.", "my diagnosis"),
        ("Please don't remember my diagnosis.", "my diagnosis"),
        ("I don’t want you to remember my diagnosis.", "my diagnosis"),
        ("Remove my diagnosis from your memory.", "my diagnosis"),
        ("请不要再记得我的诊断", "我的诊断"),
    ],
)
def test_a_request_alone_is_nothing_to_forget(
    store: MemoryStore, forgetting: Forgetting, ana: Scope, request_: str, words: str
) -> None:
    store.save_message(ana, "s1", "user", request_)
    assert forgetting.find(ana, words) == []
    assert forgetting.forget(ana, words).erasure is None


def test_a_diagnosis_is_what_one_was_diagnosed_with(
    store: MemoryStore, forgetting: Forgetting, ana: Scope
) -> None:
    store.save_message(ana, "s1", "user", "I was diagnosed with Lumenquark syndrome.")
    store.save_message(ana, "s1", "user", "Stop remembering my diagnosis.")
    forget(forgetting, ana, "my diagnosis")
    assert everything_said(store, ana) == []
