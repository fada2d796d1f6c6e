"""What goes to the model and what is kept of its answer."""

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from perdure.graph.offline_voice import OfflineVoice
from perdure.nodes.llm import Voice, spoken, tool_rounds, valid
from perdure.stores.errors import ModelUnavailable

from ...agents import calling
from ...scripted import ScriptedChatModel


def test_a_model_that_can_take_tools_gets_them() -> None:
    voice = Voice.of(ScriptedChatModel(), [], lambda error: ModelUnavailable(str(error)))
    assert voice.with_tools is voice.plain


def test_a_model_that_cannot_take_tools_goes_on_without() -> None:
    from langchain_core.tools import tool

    @tool
    def weather(city: str) -> str:
        """The weather."""
        return city

    model = OfflineVoice()
    voice = Voice.of(model, [weather], lambda error: ModelUnavailable(str(error)))
    assert voice.with_tools is model


def test_a_call_with_all_its_results_is_valid_in_the_order_of_its_calls() -> None:
    calls = AIMessage("", tool_calls=[calling("a", "c1").tool_calls[0], calling("b", "c2").tool_calls[0]])
    first, second = ToolMessage("1", tool_call_id="c1"), ToolMessage("2", tool_call_id="c2")
    said = HumanMessage("?")
    assert valid([said, calls, second, first]) == [said, calls, first, second]
    assert valid([said, calls, second]) == [said]
    assert valid([said, second, first]) == [said]
    assert valid([said, calls, first, said, second]) == [said, said]


def test_a_result_given_twice_counts_once() -> None:
    call, result = calling("a", "c1"), ToolMessage("1", tool_call_id="c1")
    again = ToolMessage("1 again", tool_call_id="c1")
    assert valid([call, result, again]) == [call, result]


def test_instructions_stand_first() -> None:
    said, instruction = HumanMessage("?"), SystemMessage("Be brief.")
    assert valid([said, instruction]) == [instruction, said]


def test_rounds_of_tools_are_counted_since_the_user_spoke() -> None:
    one_round: list[AnyMessage] = [calling("a", "c1"), ToolMessage("1", tool_call_id="c1")]
    assert tool_rounds([]) == 0
    assert tool_rounds([HumanMessage("?"), *one_round, *one_round]) == 2
    assert tool_rounds([*one_round, AIMessage("!"), HumanMessage("?"), *one_round]) == 1


def test_a_reply_is_kept_as_it_is() -> None:
    reply = AIMessage("Hello.", id="r1")
    assert spoken(reply) is reply


def test_a_refusal_is_a_reply() -> None:
    assert (
        spoken(AIMessage("", additional_kwargs={"refusal": "I would rather not."})).text
        == "I would rather not."
    )


@pytest.mark.parametrize("said", ["", "  \n", "<think>hm</think>", "<think>endless", []])
def test_nothing_said_is_a_failure(said: str) -> None:
    with pytest.raises(ModelUnavailable, match="empty reply"):
        spoken(AIMessage(said))


def test_a_message_that_is_no_reply_is_a_failure() -> None:
    with pytest.raises(ModelUnavailable, match="type 'human'"):
        spoken(HumanMessage("hello"))


def test_calls_of_tools_are_taken_out_when_there_are_no_tools() -> None:
    call = AIMessage("Well.", tool_calls=calling("recall", query="x").tool_calls, id="r1")
    assert spoken(call).tool_calls
    without = spoken(call, tools=False)
    assert (without.text, without.tool_calls, without.id) == ("Well.", [], "r1")
    with pytest.raises(ModelUnavailable, match="empty reply"):
        spoken(calling("recall", query="x"), tools=False)
