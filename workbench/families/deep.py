"""Deep clustering: DEC and its kin."""

from workbench.families.shared import CLUSTERS, SELECTION, starts
from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_dec(settings, *, device="cpu", dtype="float32", random_state=0):
    from workbench.baselines.dec import DEC  # torch takes a second to import

    return DEC(**settings, device=device, dtype=dtype, random_state=random_state)


def _build_dec_random(settings, *, device="cpu", dtype="float32", random_state=0):
    return _build_dec(
        {**settings, "start": "random"}, device=device, dtype=dtype, random_state=random_state
    )


def _build_dcec(settings, *, device="cpu", dtype="float32", random_state=0):
    from workbench.baselines.dcec import DCEC

    return DCEC(**settings, device=device, dtype=dtype, random_state=random_state)


def _build_spectral_net(settings, *, device="cpu", dtype="float32", random_state=0):
    from workbench.baselines.spectral_net import SpectralNet

    return SpectralNet(**settings, device=device, dtype=dtype, random_state=random_state)


_BATCH_SIZE = Parameter("batch_size", "int", 256, 1, 8192, scale="log", help="Rows of one step.")
_UPDATE_INTERVAL = Parameter(
    "update_interval", "int", 140, 1, 1000, scale="log",
    help="Steps between two targets p: few chase a moving target, many train towards an old one.",
)  # fmt: skip
_TOL = Parameter(
    "tol", "float", 1e-3, 0.0, 0.1,
    help="A start ends where fewer than this share of the rows change their cluster between two "
    "targets; 0 goes on to the last step.",
)  # fmt: skip

_DEC = (
    CLUSTERS,
    starts(4),
    Parameter("max_iter", "int", 20_000, 1, 100_000, scale="log",
              help="Most steps of a start, of one batch each; it ends earlier where rows keep "
              "their clusters."),
    _UPDATE_INTERVAL,
    _TOL,
    _BATCH_SIZE,
    Parameter("learning_rate", "float", 0.01, 1e-5, 10.0, scale="log",
              help="How far a step moves the centres. The usual 0.01 leaves them near where they "
              "start; ten times that lets random starts go further."),
    SELECTION,
)  # fmt: skip

_DCEC = (
    CLUSTERS,
    Parameter("n_embedded", "int", 10, 1, 100, scale="log",
              help="Numbers that stand for an image; the clusters lie in their space."),
    Parameter("gamma", "float", 0.1, 0.0, 10.0,
              help="Weight of the clusters against the reconstruction: 0 clusters nothing, much "
              "bends the embedding until images no longer come back."),
    starts(1, 16),
    Parameter("n_epochs", "int", "auto", 1, 1000, scale="log", special=("auto",),
              help="Epochs in which the autoencoder learns images before it clusters; auto shows "
              "400,000 images, in 5 to 60 epochs."),
    Parameter("max_iter", "int", 1400, 1, 100_000, scale="log",
              help="Most steps after that, of one batch each; it ends earlier where rows keep "
              "their clusters."),
    _UPDATE_INTERVAL,
    _TOL,
    _BATCH_SIZE,
    Parameter("learning_rate", "float", 1e-3, 1e-5, 0.1, scale="log",
              help="How far a step moves weights and centres (the rate of Adam)."),
    SELECTION,
)  # fmt: skip

_SPECTRAL_NET = (
    CLUSTERS,
    Parameter("n_neighbors", "int", 10, 1, 100,
              help="Neighbours of each row in the graph. More join groups that lie apart; fewer "
              "leave the graph in pieces."),
    Parameter("siamese", "bool", True,
              help="Learn distances first, from pairs of neighbours and of rows drawn by lot; off, "
              "the graph takes the distances of the rows."),
    Parameter("n_hidden", "int", 128, 4, 2048, scale="log",
              help="Units of each hidden layer: few draw smooth borders only."),
    starts(3, 32),
    Parameter("n_epochs", "int", "auto", 1, 10_000, scale="log", special=("auto",),
              help="Epochs of either network; auto makes 600 steps, or 5 epochs of more."),
    Parameter("batch_size", "int", 1024, 16, 8192, scale="log",
              help="Rows of one step, whose graph is made anew."),
    Parameter("learning_rate", "float", 3e-3, 1e-5, 0.1, scale="log",
              help="How far a step moves weights (the rate of Adam); it falls to 0 by the end."),
    SELECTION,
)  # fmt: skip

_XIE = "Xie, Girshick and Farhadi: Unsupervised deep embedding for clustering analysis, ICML 2016"

METHODS = (
    Method(
        "dec", "DEC", "deep", _build_dec, _DEC, _XIE,
        "On the features as they are, without an encoder; its kernel has length 1, so the scale "
        "of the columns matters.",
        prototypes=("centre", "centres"),
        gaps=False,
        own="squared distances to its centres",
        rules=by_selection("loss"),
    ),
    Method(
        "dec_random", "DEC^r", "deep", _build_dec_random, _DEC, _XIE,
        "DEC whose centres start on rows drawn by lot; they hardly move from there at the usual "
        "learning rate.",
        prototypes=("centre", "centres"),
        gaps=False,
        own="squared distances to its centres",
        rules=by_selection("loss"),
    ),
    Method(
        "dcec", "DCEC", "deep", _build_dcec, _DCEC,
        "Guo, Liu, Zhu and Yin: Deep clustering with convolutional autoencoders, ICONIP 2017",
        "Square images only, pixels row by row; a few thousand at least, or it learns little.",
        prototypes=("image", "images"),
        gaps=False,
        own="reconstruction and divergence",
        rules=by_selection("loss"),
        max_rows=100_000,
        images=True,
    ),
    Method(
        "spectral_net", "SpectralNet", "deep", _build_spectral_net, _SPECTRAL_NET,
        "Shaham, Stanton, Li, Nadler, Basri and Kluger: SpectralNet: Spectral clustering using "
        "deep neural networks, ICLR 2018",
        "Smooth networks only approach the eigenvectors: many small or winding clusters blur.",
        prototypes=("mean", "means"),
        gaps=False,
        own="spectral loss",
        rules=by_selection("loss"),
        max_rows=200_000,
    ),
)  # fmt: skip
