/* The shell: the last state that this device knows of the requested encounter, or of all of them, until the service can be reached again. */
"use strict";

/** An element with text or other elements in it. */
function made(tag, ...children) {
  const one = document.createElement(tag);
  one.append(...children);
  return one;
}

const name = (text) => made("bdi", text);

/** How long ago something was, in words. */
function ago(at) {
  const minutes = Math.round((Date.now() - at) / 60_000);
  if (minutes < 1) return "a moment ago";
  return minutes < 60 ? `${minutes} minute${minutes === 1 ? "" : "s"} ago` : `${Math.round(minutes / 60)} hour${minutes < 90 ? "" : "s"} ago`;
}

/** An encounter as it was known. */
function drawn({ title, at, when, call, rows }) {
  const head = made("tr", ...["Order", "Hit points", "State"].map((each) => Object.assign(made("th", each), { scope: "col" })));
  const body = rows.map((row) => {
    const who = made("th", name(row.name), row.mine ? " (yours)" : "", row.now ? " (acts)" : "");
    who.scope = "row";
    return made("tr", who, made("td", row.points), made("td", row.state));
  });
  const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return made("section", made("h2", name(title)), made("p", `The last state that this device knows, of ${time}, ${ago(at)}; it may have changed.`),
    ...(call ? [made("p", made("strong", call))] : []), made("p", when), made("table", made("thead", head), made("tbody", ...body)));
}

async function draw() {
  const cache = await caches.open("known");
  const wanted = (await cache.keys()).filter(({ url }) => location.pathname === "/" || new URL(url).pathname === location.pathname);
  const found = await Promise.all(wanted.map(async (request) => (await cache.match(request)).json()));
  document.getElementById("known").replaceChildren(...(found.length ? found.map(drawn) : [made("p", "This device has stored nothing of it.")]));
}

/** Load the page again once the service answers. */
async function again() {
  if (document.hidden) return;
  try {
    const { ok } = await fetch("/healthz", { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // not yet
  }
}

document.getElementById("again").addEventListener("click", again);
document.addEventListener("visibilitychange", again);
addEventListener("online", again);
setInterval(again, 3_000);
draw();
