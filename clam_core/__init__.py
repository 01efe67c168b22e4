"""Clustering with Associative Memories (Saha et al., ICML 2023): mathematics and estimator."""

from clam_core.attractor_tree import AttractorTree, Plateau, attractor_tree
from clam_core.attractors import attractors
from clam_core.branches import Branch
from clam_core.energy import Energy, Euclidean, Spherical, Weighted, make_energy
from clam_core.estimator import ClAM
from clam_core.recall import Basins, assign, basins, entropy, recall, recall_path, voronoi
from clam_core.saving import load, save
from clam_core.seeding import auto_beta
from clam_core.settings import warm_up
from clam_core.sweep import batches, fit_batch
from clam_core.training import Snapshot

__all__ = [
    "AttractorTree",
    "Basins",
    "Branch",
    "ClAM",
    "Energy",
    "Euclidean",
    "Plateau",
    "Snapshot",
    "Spherical",
    "Weighted",
    "assign",
    "attractor_tree",
    "attractors",
    "auto_beta",
    "basins",
    "batches",
    "entropy",
    "fit_batch",
    "load",
    "make_energy",
    "recall",
    "recall_path",
    "save",
    "voronoi",
    "warm_up",
]
