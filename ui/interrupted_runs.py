"""A page stays whole when a fragment's run is interrupted.

A large element that the browser has already is sent as a reference to it. When a fragment runs
again before its messages have left, Streamlit 1.67 takes back those messages, but not the
references among them, since these do not say whose they are. One that is then to be put into a
block which was taken back ends the whole page: it turns white. Here a reference says whose it is
and is taken back with the rest.
"""

from streamlit.runtime.forward_msg_cache import create_reference_msg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner_utils import script_run_context

_clear = ForwardMsgQueue.clear


def mend():
    """Mend it for this process; to do so again changes nothing."""
    script_run_context.create_reference_msg = refer  # pyright: ignore[reportPrivateImportUsage]
    ForwardMsgQueue.clear = clear


def refer(message):
    """Make the reference to a message that the browser has, signed by its fragment."""
    reference = create_reference_msg(message)
    if message.delta.fragment_id:
        reference.metadata.run.fragment_ids.append(message.delta.fragment_id)
    return reference


def clear(
    self: ForwardMsgQueue,
    retain_lifecycle_msgs: bool = False,
    fragment_ids_this_run: list[str] | None = None,
) -> None:
    """Take back what was not sent, the references of the fragments that run again included."""
    if fragment_ids_this_run:  # not at each sending, which clears the queue, too
        again = set(fragment_ids_this_run)
        self._queue = [
            message
            for message in self._queue
            if not (message.HasField("ref_hash") and again & set(message.metadata.run.fragment_ids))
        ]
    _clear(self, retain_lifecycle_msgs, fragment_ids_this_run)
