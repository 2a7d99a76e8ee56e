/**
 * Whether a request refreshes the token of a session, rather than signing in. With a repeated parameter it is not
 * clear which one the library takes, so that counts as a sign-in.
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
