/** A program on the user's own machine; it takes whatever port is free, so the port is not compared (RFC 8252). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/

/**
 * Whether a program may ask to be returned to this address: https, or http on the user's own machine. A browser must read it as
 * it is written: nothing before the host, nothing that it would tidy up.
 */
export function isRedirectAddress(address: string): boolean {
  if (address.length > 1000 || !/^[\x21-\x5b\x5d-\x7e]+$/.test(address)) return false
  if (address.includes('#') || !URL.canParse(address)) return false
  const { protocol, username, password, host } = new URL(address)
  if (username || password || /^[^/]*\/\/[^/?]*@/.test(address)) return false
  if (protocol === 'http:') return loopback.test(address)
  return protocol === 'https:' && address.startsWith(`https://${host}`)
}

/** Whether this is one of the registered addresses, letter by letter but for the port of a program on the user's machine. */
export function isRegistered(address: string, registered: readonly string[]): boolean {
  return (
    isRedirectAddress(address) &&
    registered.some((known) => known === address || withoutPort(known) === withoutPort(address))
  )
}

function withoutPort(address: string): string {
  return address.replace(loopback, '$1$2')
}

/** Where the user is sent, as they should read it. */
export function hostOf(address: string): string {
  const { host } = new URL(address)
  return loopback.test(address) ? 'this device' : host
}

/** The address with parameters added to those that it has. */
export function withParameters(address: string, parameters: Record<string, string>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}
