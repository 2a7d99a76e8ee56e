import { firstLetter } from './first-letter.ts'

/** First letter of the address in the avatar circle. */
export function avatarLetter(email: string | undefined): string {
  return firstLetter(email) || 'U'
}

/** The default display name: the part of the address before @. */
export function nameInAddress(email: string | undefined): string {
  return email?.split('@')[0] ?? ''
}
