import { randomBytes } from 'node:crypto'

/** 256 random bits, after words that say what it is. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}
