/** Writes one line to standard output; line breaks in it are replaced. */
export function log(message: string): void {
  process.stdout.write(`${oneLine(message)}\n`)
}

/** Writes one line to standard error. */
export function logProblem(message: string): void {
  process.stderr.write(`${oneLine(message)}\n`)
}

/**
 * An error for the log: its name and code, never its message, because databases put values of the row, such as
 * names and e-mail addresses, into it.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const name = /^\w{1,60}$/.test(error.name) ? error.name : 'Error'
  const code = 'code' in error ? String(error.code) : ''
  return /^\w{1,40}$/.test(code) ? `${name} ${code}` : name
}

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

/**
 * Replaces the console for libraries: @supabase/lite prints database errors with stack and parameters. Each call
 * becomes one line with the library's label and the error's name and code; a client's mistake is answered, and needs
 * no line. Returns a function that restores the console.
 */
export function quietConsole(write: (line: string) => void = logProblem): () => void {
  const originals = methods.map((method) => [method, console[method]] as const)
  for (const method of methods) {
    console[method] = (...parts: unknown[]) => {
      if (!parts.some(isMistakeOfClient)) write(redact(method, parts))
    }
  }
  return () => {
    for (const [method, original] of originals) console[method] = original
  }
}

/** A value that the database cannot read, such as 'nonsense' for an id. */
function isMistakeOfClient(part: unknown): boolean {
  return part instanceof Error && 'code' in part && /^22\w{3}$/.test(String(part.code))
}

function redact(method: string, parts: unknown[]): string {
  const [first] = parts
  // A label such as "Auth error:" is safe; any other string may hold data.
  const label = typeof first === 'string' && /^[a-z[\] ]{1,40}:$/i.test(first.trim())
  const error = parts.find((part) => part instanceof Error)
  const words = [`library ${method}:`]
  if (label) words.push(first.trim())
  words.push(error ? describeError(error) : '(text left out)')
  return words.join(' ')
}

function oneLine(message: string): string {
  return message.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
