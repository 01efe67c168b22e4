"""A page with nothing but the bar for own points, as a lesson has it."""

import streamlit as st

from ui.own_points import own_points

points = own_points("lessons")
if points is None:
    st.write("The toy is shown.")
else:
    st.write(f"{len(points.points)} own points of {points.name}.")
