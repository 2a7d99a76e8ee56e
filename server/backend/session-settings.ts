/** The settings of our connections. */
export const sessionSettings = {
  TimeZone: 'UTC',
  // Compiling a search for duplicates takes several times as long as running it.
  jit: 'off',
  // The longest work, an import of 200,000 rows, takes minutes.
  statement_timeout: '15min',
  // Ten requests that wait for a lock would occupy the whole pool.
  lock_timeout: '10000',
}

/** These settings and `own` ones, as the `options` that a connection is opened with. */
export function settingsText(own: Record<string, string | number> = {}): string {
  return Object.entries({ ...sessionSettings, ...own })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
