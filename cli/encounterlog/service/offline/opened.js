/* The page that answers a form: whoever goes back comes to the first page, and sends nothing again. */
"use strict";
history.replaceState(null, "", "/");
