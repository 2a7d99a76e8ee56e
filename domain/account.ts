import { firstLetter } from './first-letter.ts'

/** First letter of the address in the avatar circle. */
export function avatarLetter(email: string | undefined): string {
  return firstLetter(email) || 'U'
}
