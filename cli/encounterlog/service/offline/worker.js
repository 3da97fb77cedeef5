/*
 * The worker of a browser that has the page installed. It keeps a few files that are the same for everybody, and answers with the shell
 * (offline.html) where the service cannot be reached. It neither keeps nor changes what a token opens, and never sees a link: /join is not its business.
 */
"use strict";
const SHELL = "shell-$version";
const FILES = ["/assets/offline.html", "/assets/offline.js", "/assets/service.css", "/assets/icon.svg"];

/** Where pages store their last state (keeping.js), and for how long: no shared device shows a fight on another day. */
const [KNOWN, LONGEST] = ["known", 12 * 3600 * 1000];

addEventListener("install", (event) => {
  for (const urlPattern of ["/v1/*", "/e/*/*"]) event.addRoutes?.({ condition: { urlPattern }, source: "network" }); // not even by way of here
  event.waitUntil(install());
});

async function install() {
  const cache = await caches.open(SHELL);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await skipWaiting();
}

addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("shell-") && name !== SHELL) await caches.delete(name);
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  const { pathname } = new URL(url);
  if (mode === "navigate" && method === "GET" && /^\/(e\/[^/]+)?$/.test(pathname)) event.respondWith(visit(event.request, pathname));
  else if (FILES.includes(pathname)) event.respondWith(kept(event.request));
});

/** A page as the service gives it, or the shell. The stored data of an encounter are removed as soon as it is not open any more. */
async function visit(request, pathname) {
  await sweep();
  try {
    const response = await fetch(request);
    if ([401, 403, 404].includes(response.status)) await (await caches.open(KNOWN)).delete(pathname);
    if (![502, 504].includes(response.status)) return response; // a proxy that does not reach the service
  } catch {
    // no connection
  }
  return (await caches.match(FILES[0], { cacheName: SHELL, ignoreVary: true })) ?? Response.error();
}

/** A file of the shell as the service gives it, or as it was. */
async function kept(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, { cacheName: SHELL, ignoreVary: true })) ?? Response.error();
  }
}

/** Remove data that were stored too long ago. */
async function sweep() {
  const cache = await caches.open(KNOWN);
  for (const request of await cache.keys()) {
    const { at } = await (await cache.match(request)).json();
    if (!(Date.now() - at < LONGEST)) await cache.delete(request);
  }
}
