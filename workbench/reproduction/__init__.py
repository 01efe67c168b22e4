"""The figures and tables of the two papers, each beside our own run of it."""
