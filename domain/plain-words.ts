/** Lower case with single spaces, for searching. As `private.fold`, but keeps accents. */
export function plainWords(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}
