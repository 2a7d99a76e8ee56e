import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Settings } from './settings.ts'

/** What the browser may do on our pages: run our own scripts, talk to our own backend, and nothing else. */
export function securityHeaders(
  settings: Pick<Settings, 'backend' | 'publicUrl'>,
): MiddlewareHandler {
  return secureHeaders({
    ...headersOfAll(settings),
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // Mantine adds style elements and attributes at run time; a nonce would need a different page for every request.
      // This allows styles only: no inline script runs.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      mediaSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      connectSrc: ["'self'", ...socketOrigins(settings)],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
    },
  })
}

/** The other headers, for pages that set a Content-Security-Policy of their own. */
export function securityHeadersWithoutPolicy(
  settings: Pick<Settings, 'publicUrl'>,
  others: Parameters<typeof secureHeaders>[0] = {},
): MiddlewareHandler {
  return secureHeaders({ ...headersOfAll(settings), ...others })
}

function headersOfAll(settings: Pick<Settings, 'publicUrl'>): Parameters<typeof secureHeaders>[0] {
  return {
    referrerPolicy: 'no-referrer',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    xFrameOptions: 'DENY',
    // Sent only when the operator's own address is https; subdomains are not ours to decide about.
    strictTransportSecurity: settings.publicUrl.startsWith('https:') ? 'max-age=31536000' : false,
    permissionsPolicy: {
      accelerometer: [],
      camera: [],
      displayCapture: [],
      geolocation: [],
      gyroscope: [],
      magnetometer: [],
      microphone: [],
      midi: [],
      payment: [],
      serial: [],
      usb: [],
    },
  }
}

/**
 * Makes an answer of the backend uncacheable and unreadable for other origins (@supabase/lite would allow every
 * origin).
 */
export function sealAnswer(answer: Response): Response {
  // Changed in place: a copy would stream the body, in several writes.
  const { headers } = answer
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name)
  }
  headers.set('Cache-Control', 'no-store')
  return answer
}

/**
 * Where the page may open its socket, and with a hosted project send its requests. Older browsers do not count a
 * socket to our own address as 'self'.
 */
function socketOrigins({ backend, publicUrl }: Pick<Settings, 'backend' | 'publicUrl'>): string[] {
  if (backend.kind !== 'supabase') return [publicUrl.replace(/^http/, 'ws')]
  const { origin } = new URL(backend.url)
  return [origin, origin.replace(/^http/, 'ws')]
}
