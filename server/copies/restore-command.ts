/** What to type to bring a copy back. */
export function restoreCommand(file: string, ...flags: string[]): string {
  const quoted = /^[\w./\\:-]+$/.test(file) ? file : JSON.stringify(file)
  return ['npm run restore --', quoted, ...flags].join(' ')
}
