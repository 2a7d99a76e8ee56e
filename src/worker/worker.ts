import { createHandlerBoundToURL, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { keepShared, sharePath } from '#lib/shared.ts'
import { takeOver } from '#lib/take-over.ts'
import { appNavigations } from '#lib/worker-paths.ts'

declare const self: Window & { skipWaiting(): Promise<void> }

/** Filled in by the build. */
declare const builtFiles: PrecacheEntry[]

const shell = '/app'

// The page of the app, with the files that it is made of: they come from the device, so that it starts without a
// network, and always those of one build. The page contains the settings of the server, which therefore fills in the
// revision when it starts (`fillRevision`).
precacheAndRoute([...builtFiles, { url: shell, revision: 'revision-of-the-app' }])

registerRoute(new NavigationRoute(createHandlerBoundToURL(shell), { allowlist: appNavigations }))

// What another app shares arrives as a form; the page reads it after the redirect.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === sharePath,
  async ({ request }) => {
    await keepShared(await request.formData())
    return Response.redirect(sharePath, 303)
  },
  'POST',
)

self.addEventListener('message', ({ data }) => {
  if (data === takeOver) self.skipWaiting()
})
