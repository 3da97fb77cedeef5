"""Hit points in a word, for people who do not see the number."""


def word(left: object, most: object) -> str:
    """Return unhurt, hurt, bloodied (at half or less) or down; "" if hit points are not known."""
    if not isinstance(left, int):
        return ""
    if left <= 0:
        return "down"
    if not isinstance(most, int) or left >= most:
        return "unhurt"
    return "bloodied" if 2 * left <= most else "hurt"
