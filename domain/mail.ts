type Person = { name: string; address: string }

type Titled = {
  direction: 'in' | 'out'
  sender: string | null
  sender_name: string | null
  recipients: readonly Person[]
  is_automatic: boolean
}

/** Who wrote to whom, in few words. */
export function mailTitle(mail: Titled): string {
  const { direction, sender, sender_name, recipients, is_automatic } = mail
  if (direction === 'out') return `You wrote to ${namesOf(recipients)}`
  const name = sender_name ?? sender ?? 'Someone'
  return is_automatic ? `Automatic email from ${name}` : `${name} wrote`
}

/** The first two by name, and how many more. */
export function namesOf(people: readonly Person[]): string {
  const names = people.map(({ name, address }) => name || address)
  if (names.length === 0) return 'nobody'
  if (names.length <= 2) return names.join(' and ')
  return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}

/** The text of a mail in two parts: what is new, and what it quotes of earlier ones. */
export function quoteOf(text: string): { own: string; quoted: string } {
  const lines = text.split('\n')
  let first = lines.length
  while (first > 0 && /^(>|\s*$)/.test(lines[first - 1] ?? '')) first -= 1
  if (!lines.slice(first).some((line) => line.startsWith('>'))) return { own: text, quoted: '' }
  // The line above says who is quoted: "On Monday Ada wrote:".
  if (/:\s*$/.test(lines[first - 1] ?? '')) first -= 1
  return {
    own: lines.slice(0, first).join('\n').trimEnd(),
    quoted: lines.slice(first).join('\n').trim(),
  }
}
