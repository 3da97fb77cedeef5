/* The first page of a browser: it can be installed, keeps nothing of encounters that are not open here any more, and as an app goes on to the only one; its form shows the options of the chosen ruleset alone. */
"use strict";
const open = [...document.querySelectorAll(".encounters a")].map((each) => each.pathname);

async function forget() {
  const cache = await caches.open("known");
  for (const request of await cache.keys()) if (!open.includes(new URL(request.url).pathname)) await cache.delete(request);
}

if (window.caches) forget();
navigator.serviceWorker?.register("/assets/worker.js", { scope: "/" });
history.replaceState(null, "", `/${location.hash}`); // coming back to a form that was refused sends nothing again
if (location.hash === "#app" && open.length === 1 && !document.querySelector("form")) location.replace(open[0]);

const ruleset = document.getElementById("ruleset");
const choose = () => document.querySelectorAll("[data-ruleset]").forEach((each) => (each.hidden = each.dataset.ruleset !== ruleset.value));
ruleset?.addEventListener("change", choose);
if (ruleset) choose();
