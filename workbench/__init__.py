"""The bench: data, methods, scores, pictures and exports; knows nothing of the app around it."""
