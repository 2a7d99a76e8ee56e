/**
 * Links of our mails return to the landing page with tokens or an error in the address, which are passed unchanged to
 * the sign-in page.
 */
export function handOverMailLink(): void {
  const { hash, search } = window.location
  const brought = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`)
  const names = ['access_token', 'error', 'error_code', 'code', 'token_hash']
  if (names.some((name) => brought.has(name))) window.location.replace(`/auth${search}${hash}`)
}
