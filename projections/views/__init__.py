"""Views: frozen values made from a state, in the shape of the commands' JSON."""
