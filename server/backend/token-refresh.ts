/**
 * Whether a request asks for a new token of a session, rather than for a session. With a doubled parameter it is
 * not clear which of the two the library takes, so that counts as an attempt to sign in.
 */
export function isTokenRefresh({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  const { pathname, searchParams } = new URL(url)
  const grants = searchParams.getAll('grant_type')
  return (
    method === 'POST' &&
    /^\/auth\/v1\/token\/*$/.test(pathname) &&
    grants.length === 1 &&
    grants[0] === 'refresh_token'
  )
}
