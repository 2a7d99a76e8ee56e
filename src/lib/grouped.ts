/** Groups rows by a key, in the order of first occurrence. */
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
