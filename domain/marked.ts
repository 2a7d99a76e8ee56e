import { fold } from './fold.ts'

type Part = { text: string; isHit: boolean }

/**
 * Splits a text into parts and marks the matches of a search: the whole phrase, or each word where the phrase does not
 * occur. Ignores accents and capitals.
 */
export function marked(text: string, words: string): Part[] {
  const { folded, places } = foldedPlaces(text)
  const phrase = fold(words.trim())
  const wanted = folded.includes(phrase) ? [phrase] : phrase.split(/\s+/)
  const parts: Part[] = []
  let end = 0
  for (let hit = nextHit(folded, wanted, 0); hit; hit = nextHit(folded, wanted, hit.to)) {
    const [from, to] = [places[hit.from] ?? 0, places[hit.to] ?? text.length]
    if (from > end) parts.push({ text: text.slice(end, from), isHit: false })
    parts.push({ text: text.slice(from, to), isHit: true })
    end = to
  }
  if (end < text.length) parts.push({ text: text.slice(end), isHit: false })
  return parts
}

/** The next match of any word; of two at one place, the longer. */
function nextHit(folded: string, wanted: string[], start: number) {
  const hits = wanted
    .filter(Boolean)
    .map((word) => ({ from: folded.indexOf(word, start), length: word.length }))
    .filter(({ from }) => from >= 0)
    .sort((one, other) => one.from - other.from || other.length - one.length)
  const [first] = hits
  return first && { from: first.from, to: first.from + first.length }
}

/** Folds letter by letter with the original places, because folding may change the length. */
function foldedPlaces(text: string): { folded: string; places: number[] } {
  const places: number[] = []
  let folded = ''
  let place = 0
  for (const letter of text) {
    const plain = fold(letter)
    for (let each = 0; each < plain.length; each += 1) places.push(place)
    folded += plain
    place += letter.length
  }
  return { folded, places: [...places, text.length] }
}
