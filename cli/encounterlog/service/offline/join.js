/* The page that a link leads to: the token goes from the address into the form, and the data that another one left on this device are removed. */
"use strict";
const held = document.querySelector("input[name=token]");
if (location.hash.length > 1) {
  held.value = location.hash.slice(1);
  held.closest("label").hidden = true;
  history.replaceState(null, "", location.pathname);
}
document.querySelector("form").addEventListener("submit", () => {
  window.caches?.delete("known");
  sessionStorage.clear();
});
