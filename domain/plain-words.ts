/** A text as it is searched in or for: capitals aside, one space between words. As `private.fold`, but for accents. */
export function plainWords(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}
