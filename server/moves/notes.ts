import type { Place } from './places.ts'

/** How much there is of what needs a word after a move. */
export type Numbers = {
  accounts: number
  files: number
  mailboxes: number
  webhooks: number
  forms: number
  tokens: number
  feeds: number
}

/** What did not move, what has to be entered again, and what to do next. */
export function notesOf(
  { source, target, mailKey }: { source: Place; target: Place; mailKey: string | null },
  { mailboxes, webhooks, forms, tokens, feeds }: Numbers,
): string[] {
  const notes: string[] = []
  if (source.kind === 'supabase' || target.kind === 'supabase') {
    notes.push(
      'Everybody signs in again, with the same password. Links in mails that were sent before no longer work.',
    )
  } else {
    notes.push('Sessions and keys come along: nobody is signed out.')
  }
  if (mailboxes > 0) notes.push(aboutMailboxes(source, target, mailKey, mailboxes))
  const resting = [
    ['webhooks', webhooks],
    ['forms', forms],
    ['access tokens and connected programs', tokens],
    ['addresses of calendars and cards', feeds],
  ].filter(([, count]) => Number(count) > 0)
  if (resting.length > 0) {
    const list = resting.map(([what, count]) => `${what}: ${count}`).join(', ')
    notes.push(
      target.kind === 'supabase'
        ? `These come along, but only a server of ways 1 and 2 serves them (${list}).`
        : `These work as before while PUBLIC_URL stays the same; otherwise give the new address to those who use them (${list}).`,
    )
  }
  if (source.kind === 'folder') {
    notes.push(`Mails that are files stay in ${source.dataDir}/outbox, copies in backups.`)
  }
  notes.push(
    'What was moved stays where it was, unchanged. Let nobody work there now, and delete it once you no longer need it.',
    nextStep(target),
  )
  return notes
}

function aboutMailboxes(
  source: Place,
  target: Place,
  mailKey: string | null,
  count: number,
): string {
  const key =
    source.kind === 'folder' && !mailKey
      ? `the line in ${source.dataDir}/mail.key`
      : 'MAIL_KEY of before'
  if (target.kind === 'supabase') {
    return `Mailboxes (${count}): a project reads and sends no mail. Their passwords come along encrypted; a server can read them again with ${key}.`
  }
  if (target.kind === 'folder' && (mailKey || source.kind === 'folder')) {
    return `Mailboxes (${count}): their key is kept in the new folder, so no password is asked for again.`
  }
  const way = source.kind === 'folder' && !mailKey ? 'set MAIL_KEY to' : 'set MAIL_KEY as before:'
  return `Mailboxes (${count}): ${way} ${key}, or their passwords are asked for again.`
}

function nextStep(target: Place): string {
  if (target.kind === 'folder') return `Start it there: DATA_DIR=${target.dataDir} npm start`
  if (target.kind === 'postgres')
    return 'Start it there: DATABASE_URL=(what TO_DATABASE_URL is) npm start'
  return `Start it there: SUPABASE_URL=${target.address} SUPABASE_ANON_KEY=(its public key) npm start`
}
