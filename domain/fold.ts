/** Letters that Unicode does not decompose into a plain letter and an accent. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
}

/** A text without capitals and accents, as searches compare it. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđł]/g, (letter) => plainLetters[letter] ?? letter)
}
