import { Hono } from 'hono'
import type { Backend } from './backend/start-backend.ts'
import { createBackendRoutes } from './backend-routes.ts'
import type { HttpEnv } from './http-env.ts'
import { pageSettings } from './page-settings.ts'
import { createPages } from './pages.ts'
import type { Settings } from './settings.ts'

/** The whole server: data under /auth/v1 and /rest/v1, and the built client everywhere else. */
export function createApp(options: {
  settings: Settings
  backend: Backend | null
  clientDir: string
}): Hono<HttpEnv> {
  const { settings, backend, clientDir } = options
  const app = new Hono<HttpEnv>()
  app.route('/', createBackendRoutes({ settings, backend }))
  app.route(
    '/',
    createPages({ settings, pageSettings: pageSettings(settings, backend), clientDir }),
  )
  return app
}
