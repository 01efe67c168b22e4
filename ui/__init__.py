"""The shared code that knows Streamlit: remembered values, controls, caches and long work."""
