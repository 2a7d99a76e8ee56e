/** Adds https:// to `acme.com`. */
export function fullAddress(website: string): string {
  const trimmed = website.trim()
  return trimmed === '' || /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`
}

/** Only http and https ever become links, whatever is stored. */
export function safeLink(address: string | null): string | null {
  if (!address || !/^https?:\/\/[^\s/?#]+\S*$/i.test(address)) return null
  return URL.canParse(address) ? address : null
}

/** A web address without its scheme. */
export function shownWebsite(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
