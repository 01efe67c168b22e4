"""Every cache of the app.

Keys are the Recipe as JSON, or the part of it that decides, and the fingerprint of a table. What
comes from a reader's file is cached for that reader's session only.
"""

from ui.cached.fits import (
    laplacian,
    laplacian_sweep,
    lesson_centres,
    lesson_frames,
    of_run,
    prototypes_alone,
    quick_item,
    quick_run,
    uploaded_set,
)
from ui.cached.plane import (
    attractor_tree,
    basin_png,
    dynamics,
    ends,
    nearest,
    of_recall,
    partition,
    plane_points,
    recalled,
    scalar,
    way,
)
from ui.cached.tables import (
    builtin_table,
    column_facts,
    file_table,
    flat,
    format_note,
    guesses,
    model_of,
    new_labels,
    new_table,
    prepared,
    saved_model,
)

__all__ = [
    "attractor_tree",
    "basin_png",
    "builtin_table",
    "column_facts",
    "dynamics",
    "ends",
    "file_table",
    "flat",
    "format_note",
    "guesses",
    "laplacian",
    "laplacian_sweep",
    "lesson_centres",
    "lesson_frames",
    "model_of",
    "nearest",
    "new_labels",
    "new_table",
    "of_recall",
    "of_run",
    "partition",
    "plane_points",
    "prepared",
    "prototypes_alone",
    "quick_item",
    "quick_run",
    "recalled",
    "saved_model",
    "scalar",
    "uploaded_set",
    "way",
]
