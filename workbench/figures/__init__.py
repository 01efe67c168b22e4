"""Pictures: arrays in, Plotly figures out. Knows NumPy, Plotly and Pillow only."""
