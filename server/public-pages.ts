/** The pages that anybody sees, by their path; each is a file of the built client. */
export const publicPages = new Map([
  ['/', 'index.html'],
  ['/privacy', 'privacy.html'],
  ['/terms', 'terms.html'],
])

/** Placeholder in the public pages for the origin, which is known at start. */
const placeholder = 'https://solo.invalid'

/** Whether this file contains the origin: search engines need full addresses. */
export function namesOrigin(path: string): boolean {
  return /^\/(?:[\w-]+\.html|sitemap\.xml|robots\.txt)$/.test(path)
}

/** The file with the origin under which people reach the server. */
export function fillOrigin(text: string, publicUrl: string): string {
  return text.replaceAll(placeholder, () => publicUrl)
}
