/** First letter of the address in the avatar circle. */
export function avatarLetter(email: string | undefined): string {
  return Array.from(email?.trim() ?? '')[0]?.toUpperCase() ?? 'U'
}
