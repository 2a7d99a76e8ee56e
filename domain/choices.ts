import { fold } from './fold.ts'
import { plainWords } from './plain-words.ts'

type Named = { label: string }

/** The choices whose names match a typed text, best first; all of them when nothing is typed. */
export function foundByName<Choice extends Named>(choices: Choice[], typed: string): Choice[] {
  const text = plain(typed)
  return likeliestFirst(
    choices.filter(({ label }) => plain(label).includes(text)),
    typed,
  )
}

/** Sorts choices by how well they match: equal names, then names that begin with the text, then the others. */
export function likeliestFirst<Choice extends Named>(choices: Choice[], typed: string): Choice[] {
  const text = plain(typed)
  const rank = ({ label }: Choice) => {
    const name = plain(label)
    return name === text ? 0 : name.startsWith(text) ? 1 : 2
  }
  return choices.toSorted((one, other) => rank(one) - rank(other))
}

/**
 * The choice whose name equals the text, ignoring accents, capitals and spaces; null where several do, because the
 * text is ambiguous.
 */
export function exactMatch<Choice extends Named>(choices: Choice[], typed: string): Choice | null {
  const text = plain(typed)
  const [match, another] = text ? choices.filter(({ label }) => plain(label) === text) : []
  return match && !another ? match : null
}

function plain(text: string): string {
  return fold(plainWords(text))
}
