"""What to know about the graph that rows were clustered on."""

from workbench.words import count


def graph_notes(model):
    """Say where the graph of a fit cannot serve as it was asked to.

    Parameters
    ----------
    model : estimator
        Fitted; one without a graph has nothing to say, nor has one whose graph does not count.

    Returns
    -------
    tuple of str
        One sentence for each thing to know.
    """
    if not getattr(model, "lam_", 0):
        return ()
    from scipy.sparse.csgraph import connected_components

    others = len(model.labels_) - 1
    neighbours = count(min(model.n_neighbors, others), "neighbour")
    notes = []
    if model.n_neighbors > others:
        notes.append(f"Each row has only {neighbours}, so the graph joins all rows.")
    pieces, _ = connected_components(model.affinity_, directed=False)
    if 1 < pieces <= model.n_clusters:
        notes.append(
            f"The graph has {pieces:,} separate pieces at {neighbours}: only modes, not edges, can "
            "join them."
        )
    elif 1 < model.n_clusters < pieces:
        notes.append(
            f"The graph has {pieces:,} separate pieces at {neighbours}; with k below {pieces:,} "
            "some are joined at will: raise k, or take more neighbours."
        )
    return tuple(notes)
