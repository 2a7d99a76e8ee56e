/** A request that `public/first-data.js` sent while the app was being loaded. */
type EarlyRequest = {
  url: string
  body: string | null
  /** The token that it was signed with. */
  token: string
  answer: Promise<Response>
  /** When it was sent, in milliseconds. */
  at: number
}

declare global {
  interface Window {
    firstData?: EarlyRequest[]
  }
}

/** Older answers are not taken over; in milliseconds. */
const lasting = 10_000

/**
 * The answer to a request that was sent ahead, in the name of the same session; null where there was none. It is taken
 * once. One that failed is asked for again.
 */
export function takeEarlyAnswer(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> | null {
  // From the first question on, `public/first-data.js` is too late.
  window.firstData ??= []
  const early = window.firstData
  if (early.length === 0) return null
  const signature = new Headers(init?.headers).get('Authorization')
  const at = early.findIndex(
    ({ url, body, token }) =>
      url === String(input) &&
      ofAnyTime(body) === ofAnyTime(init?.body ?? null) &&
      signature === `Bearer ${token}`,
  )
  const [found] = at < 0 ? [] : early.splice(at, 1)
  if (!found || Date.now() - found.at > lasting) return null
  return found.answer.catch(() => fetch(input, init))
}

/** What is asked for as of now, whichever moment that was. */
function ofAnyTime(body: BodyInit | null): BodyInit | null {
  return typeof body === 'string' ? body.replace(/"at":"[^"]*"/, '"at":""') : body
}
