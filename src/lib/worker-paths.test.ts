import { expect, test } from 'vitest'
import { appNavigations } from './worker-paths.ts'

const isOfApp = (path: string) => appNavigations.some((each) => each.test(path))

test.each(['/app', '/app/', '/app?x', '/app/contacts/1?q=a', '/auth', '/auth/', '/auth?next=/app'])(
  'the worker answers %s',
  (path) => expect(isOfApp(path)).toBe(true),
)

test.each([
  ...['/', '/?x', '/auth/v1', '/auth/v1/verify?token=1', '/rest', '/rest/v1/contacts'],
  ...['/f', '/f/form', '/mcp', '/mcp?x', '/api', '/api/v1', '/calendar', '/calendar/token.ics'],
  ...['/realtime/v1/websocket', '/health', '/application', '/authors', '/privacy', '/terms'],
])('the worker leaves %s to the network', (path) => expect(isOfApp(path)).toBe(false))
