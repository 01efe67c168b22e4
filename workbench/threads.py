"""How many threads a run computes with: one, wherever it runs."""


def one_thread():
    """Let all libraries of this process compute on one thread.

    Sums are then taken in one order, so that the page, the command line and a script give the
    same labels; and several runs at once do not fight over the cores.
    """
    import sklearn.cluster  # noqa: F401 - loads its threads before they are limited
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    threadpool_limits(1)
