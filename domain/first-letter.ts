/** What a reader takes for the first letter, a joined emoji included; empty when there is none. */
export function firstLetter(text: string | null | undefined): string {
  const [first] = new Intl.Segmenter().segment(text?.trim() ?? '')
  return first?.segment.toUpperCase() ?? ''
}
