/** The four parts of the last step from the second history. Two are written by hand and two by npm run schema:upgrade. */
export type UpgradeParts = {
  /** By hand: what changed functions need first, such as a new table whose row type is an argument. */
  before: string
  functions: string
  /** By hand: tables, columns, constraints, indexes, triggers, policies, rights on tables. */
  after: string
  /** Runs last: comments, rows of the tables that belong to the schema, and drops of functions that are gone. */
  rest: string
}

const marks = {
  functions: '-- Written by npm run schema:upgrade: functions',
  rest: '-- Written by npm run schema:upgrade: comments, rows of the schema, functions that are gone',
  end: '-- Until here',
}

/** What was appended after the last part belongs to what is written by hand. */
export function splitUpgrade(text: string): UpgradeParts {
  if (!text.includes(marks.functions)) throw new Error(`There is no line "${marks.functions}".`)
  const [before, functions, after] = cut(text, marks.functions)
  const [byHand, rest, appended] = cut(after, marks.rest)
  return { before, functions, after: [byHand, appended].filter(Boolean).join('\n\n'), rest }
}

function cut(text: string, mark: string): [string, string, string] {
  const [before = '', marked = ''] = text.split(`${mark}\n`)
  const [inside = '', ...after] = marked.split(`${marks.end}\n`)
  return [before.trim(), inside.trim(), after.join(`${marks.end}\n`).trim()]
}

export function joinUpgrade({ before, functions, after, rest }: UpgradeParts): string {
  const marked = [before, marks.functions, functions, marks.end, after]
  const last = rest ? [marks.rest, rest, marks.end] : []
  return `${[...marked, ...last].filter(Boolean).join('\n\n')}\n`
}
