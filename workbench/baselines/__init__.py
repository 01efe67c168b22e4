"""Rival methods: only what scikit-learn lacks, one estimator per file."""
