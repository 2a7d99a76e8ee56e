/** Rows under what they have in common, in the order in which each first comes. */
export function grouped<Row>(rows: Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = groups.get(key)
    if (known) known.push(row)
    else groups.set(key, [row])
  }
  return [...groups]
}
