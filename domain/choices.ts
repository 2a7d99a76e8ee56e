import { fold } from './fold.ts'
import { plainWords } from './plain-words.ts'

type Named = { label: string }

/** The choices that a typed text finds by their names, the likeliest first. Nothing typed finds all. */
export function foundByName<Choice extends Named>(choices: Choice[], typed: string): Choice[] {
  const text = plain(typed)
  return likeliestFirst(
    choices.filter(({ label }) => plain(label).includes(text)),
    typed,
  )
}

/** The choices in the order in which a typed text may mean them: called so, beginning so, then the others. */
export function likeliestFirst<Choice extends Named>(choices: Choice[], typed: string): Choice[] {
  const text = plain(typed)
  const rank = ({ label }: Choice) => {
    const name = plain(label)
    return name === text ? 0 : name.startsWith(text) ? 1 : 2
  }
  return choices.toSorted((one, other) => rank(one) - rank(other))
}

/**
 * The choice that is called as was typed, accents, capitals and spaces aside; none where several are called so,
 * because the name does not tell which is meant.
 */
export function exactMatch<Choice extends Named>(choices: Choice[], typed: string): Choice | null {
  const text = plain(typed)
  const [match, another] = text ? choices.filter(({ label }) => plain(label) === text) : []
  return match && !another ? match : null
}

function plain(text: string): string {
  return fold(plainWords(text))
}
