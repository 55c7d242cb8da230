"""Checks a page on screens of all sizes, in light and in dark."""

# The least contrast between the text and the ground of any element that has text of its own.
CONTRAST = """
(() => {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parse(color).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if ((parse(color)[3] ?? 1) !== 0)
        return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const withText = [...document.body.querySelectorAll('*')].filter((e) => e.checkVisibility() &&
      [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()));
  return Math.min(...withText.map((e) => {
    const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
})()
"""


def find_problems(browser, page, prepare):
    """Lists what is wrong with the page on different screens, after the script `prepare`."""
    problems = []
    for width, phone in ((1400, False), (800, False), (390, True), (320, True)):
        browser.resize(width, 844, phone)
        browser.open(page)
        browser.evaluate(prepare)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            problems.append(f"scrolls sideways at {width} pixels: {wide}")
    grounds = set()
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        grounds.add(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        contrast = browser.evaluate(CONTRAST)
        if contrast < 4.5:
            problems.append(f"contrast in {scheme}: {contrast}")
    if len(grounds) != 2:
        problems.append(f"grounds of light and dark: {grounds}")
    return problems
