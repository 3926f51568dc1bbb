/* offline.js - keeps the page for visits without a network, where it comes from a server.
 *
 * Beside the page under the name playground-offline.js.  What the server has now is taken when it
 * answers, and kept; what was kept last when it does not.  Nothing but the page itself is asked for.
 */
"use strict";

const KEPT = "cosched-playground";

async function fetched(request) {
  const answer = await fetch(request, { cache: "no-cache" });
  if (answer.ok) await (await caches.open(KEPT)).put(request.url.split("#")[0], answer.clone());
  return answer;
}

async function kept(request, error) {
  const found = await (await caches.open(KEPT)).match(request.url.split("#")[0]);
  if (!found) throw error;
  return found;
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(
  fetched(new Request(event.data)).then(() => true, () => false).then((done) => event.source.postMessage(done))));
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetched(event.request).catch((error) => kept(event.request, error)));
});
