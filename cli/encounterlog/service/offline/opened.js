/* The page that answers a form: going back leads to the first page, and sends nothing again. */
"use strict";
history.replaceState(null, "", "/");
