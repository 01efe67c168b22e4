"""References to cached elements go with the interrupted run that they belong to."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import create_reference_msg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner_utils import script_run_context

from ui.interrupted_runs import _clear, clear, mend, refer


def element(fragment, *path):
    message = ForwardMsg()
    message.hash = "a" * 32
    message.metadata.delta_path[:] = path
    message.delta.fragment_id = fragment
    message.delta.new_element.markdown.body = "long"
    return message


def paths(queue):
    return [tuple(message.metadata.delta_path) for message in queue.flush()]


def waiting(reference):
    """Return a queue in which three elements wait: two of fragments, one of the whole page."""
    queue = ForwardMsgQueue()
    for fragment, path in (("mine", (0, 1, 0)), ("other", (0, 2, 0)), ("", (0, 3))):
        queue.enqueue(reference(element(fragment, *path)))
    return queue


@pytest.mark.parametrize("form", [refer, lambda message: message], ids=["reference", "whole"])
def test_a_fragment_that_runs_again_takes_back_its_own_alone(form):
    queue = waiting(form)
    clear(queue, True, ["mine"])
    assert paths(queue) == [(0, 2, 0), (0, 3)]


def test_a_run_of_the_whole_page_takes_back_all():
    queue = waiting(refer)
    clear(queue, True)
    assert paths(queue) == []


def test_it_is_needed_still():
    """Where this fails, Streamlit has mended it, and ui/interrupted_runs.py can go."""
    queue = waiting(create_reference_msg)
    _clear(queue, True, ["mine"])
    assert (0, 1, 0) in paths(queue)


def test_it_holds_where_streamlit_looks(monkeypatch):
    monkeypatch.setattr(script_run_context, "create_reference_msg", create_reference_msg)
    monkeypatch.setattr(ForwardMsgQueue, "clear", _clear)
    mend()
    mend()
    queue = waiting(vars(script_run_context)["create_reference_msg"])
    queue.clear(True, ["mine"])
    assert (0, 1, 0) not in paths(queue)
    assert queue.is_empty()
