import { parse } from 'bowser'

/** 'Firefox on Windows', from a user agent. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser'
  const { browser, os } = parse(userAgent)
  if (!browser.name) return 'Unknown browser'
  return os.name ? `${browser.name} on ${os.name}` : browser.name
}
