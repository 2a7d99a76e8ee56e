import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { describeError, logProblem } from '../log.ts'
import { foldersToRead, type MailFolder } from './folders.ts'
import {
  bodyOf,
  decoded,
  type Envelope,
  envelopeOf,
  headersIn,
  partsOf,
  type ReadMail,
  type Reply,
  wantedHeaders,
} from './read-mail.ts'

/** How far a folder was read. A folder with another validity has given its mails new numbers. */
export type FolderState = { validity: number; last: number }

/** What the reader asks the database. */
export type MailStore = {
  /** Which of these mails are kept, by their places from zero. */
  sift(direction: 'in' | 'out', envelopes: Envelope[]): Promise<Set<number>>
  store(mail: ReadMail): Promise<void>
  /** Whether somebody is to be reminded that no reply has come. */
  awaitsReply(): Promise<boolean>
  /** Notes replies from people whom the user does not know, and whose mails are not kept. */
  noteReplies(replies: Reply[]): Promise<void>
  /** Subjects of mails that could not be kept as they are. */
  readonly unkept: readonly string[]
  /** To whom the user has written. */
  noteWrittenTo(envelopes: Envelope[]): Promise<void>
  /** What lies in the sent folder: mails that we have sent are known by it, and where their copies are. */
  knowSent(path: string, validity: number, envelopes: Envelope[]): Promise<void>
  readonly folders: Record<string, FolderState>
  saveFolder(path: string, state: FolderState): Promise<void>
  /** Addresses that were added to a contact since the last reading. */
  wanted(): Promise<string[]>
  dropWanted(addresses: string[]): Promise<void>
}

/** How many days back a mailbox is read at first. */
const days = 90
const chunk = 250
/** So many new addresses are searched for one by one; with more, all envelopes are read again. */
const fewWanted = 20

/** What a pass over a mailbox has seen. */
export type MailboxPass = {
  /** The UIDNEXT of the inbox when the pass began: mails with this number or a higher one arrived later. */
  inboxNext: number
}

/**
 * Reads the new mails of a mailbox: envelopes first, and the texts of mails from or to people the user knows. Folders are
 * opened read-only and nothing is marked as read. What was read is noted after each part, so that a lost connection
 * costs little, and nothing is kept twice because every mail is known by its Message-ID.
 */
export async function readMailbox(
  client: ImapFlow,
  store: MailStore,
  signal: AbortSignal,
  now = new Date(),
): Promise<MailboxPass> {
  const wanted = await store.wanted()
  const list = await client.list({ statusQuery: { uidNext: true, uidValidity: true } })
  const inbox = list.find(({ path }) => path.toUpperCase() === 'INBOX')
  for (const folder of foldersToRead(list)) {
    signal.throwIfAborted()
    const known = store.folders[folder.path]
    // Most folders hold nothing new most of the time, and need not be opened.
    const isSame = known && known.validity === folder.validity && known.last + 1 === folder.next
    if (isSame && wanted.length === 0) continue
    try {
      await readFolder({ client, store, folder, wanted, signal, now })
    } catch (error) {
      // Listed and yet closed to this user, or deleted since: it must not hold up all others.
      if (folder.isNeeded || !isRefusedFolder(error) || !client.usable) throw error
    }
  }
  if (wanted.length > 0) await store.dropWanted(wanted)
  return { inboxNext: inbox?.status?.uidNext ?? 0 }
}

type FolderReading = {
  client: ImapFlow
  store: MailStore
  folder: MailFolder
  wanted: string[]
  signal: AbortSignal
  now: Date
}

async function readFolder({ client, store, folder, wanted, signal, now }: FolderReading) {
  const { path, direction } = folder
  const opened = await client.mailboxOpen(path, { readOnly: true })
  // Copied at once, because the library changes this object when the folder changes.
  const [validity, next] = [Number(opened.uidValidity), Number(opened.uidNext) || 0]
  const known = store.folders[path]
  const isKnown = known?.validity === validity
  const last = isKnown ? known.last : 0
  const uids = isKnown
    ? await search(client, { uid: `${last + 1}:*` })
    : await search(client, { since: since(now) })
  // A range to the end always holds the last mail, though it is an old one.
  const fresh = uids.filter((uid) => uid > last)
  const read = { client, store, folder, validity, signal, now }
  let reached = last
  for (const part of chunksOf(fresh)) {
    await readPart(read, part)
    reached = Math.max(...part)
    await store.saveFolder(path, { validity, last: reached })
  }
  // The next pass starts behind the numbers of deleted mails, and of mails older than the first pass reads.
  if (!isKnown || next - 1 > reached) {
    await store.saveFolder(path, { validity, last: Math.max(reached, next - 1) })
  }
  if (isKnown && wanted.length > 0) {
    for (const part of chunksOf(await uidsOf(client, wanted, direction, now))) {
      await readPart(read, part)
    }
  }
}

function isRefusedFolder(error: unknown): boolean {
  return error instanceof Error && 'responseStatus' in error && error.responseStatus === 'NO'
}

/**
 * The library answers a command on a connection that is gone with nothing. Taken for an empty folder, all that lies in
 * it would count as read.
 */
function mustBeThere(client: ImapFlow): void {
  if (client.usable) return
  throw Object.assign(new Error('The connection to the mailbox was lost'), { code: 'ECONNRESET' })
}

function since(now: Date): Date {
  return new Date(now.getTime() - days * 86_400_000)
}

async function search(client: ImapFlow, query: object): Promise<number[]> {
  const found = await client.search(query, { uid: true })
  mustBeThere(client)
  if (!found) throw new Error('The server refused a search')
  return found.sort((one, other) => one - other)
}

async function uidsOf(
  client: ImapFlow,
  wanted: string[],
  direction: 'in' | 'out',
  now: Date,
): Promise<number[]> {
  if (wanted.length > fewWanted) return search(client, { since: since(now) })
  const found = new Set<number>()
  for (const address of wanted) {
    const people = [{ to: address }, { cc: address }]
    const or = direction === 'in' ? [{ from: address }, ...people] : people
    for (const uid of await search(client, { since: since(now), or })) found.add(uid)
  }
  return [...found].sort((one, other) => one - other)
}

function* chunksOf(uids: number[]): Generator<number[]> {
  for (let at = 0; at < uids.length; at += chunk) yield uids.slice(at, at + chunk)
}

type Reading = {
  client: ImapFlow
  store: MailStore
  folder: MailFolder
  validity: number
  signal: AbortSignal
  now: Date
}

async function readPart(reading: Reading, uids: number[]): Promise<void> {
  const { client, store, folder, signal, now } = reading
  signal.throwIfAborted()
  const envelopes: Envelope[] = []
  const query = { uid: true, envelope: true, internalDate: true, size: true }
  for await (const message of client.fetch(uids.join(','), query, { uid: true })) {
    envelopes.push(envelopeOf(message, now))
  }
  mustBeThere(client)
  if (folder.direction === 'out') {
    await store.knowSent(folder.path, reading.validity, envelopes)
    await store.noteWrittenTo(envelopes)
  }
  const places = await store.sift(folder.direction, envelopes)
  const kept = envelopes.filter((_envelope, place) => places.has(place))
  if (folder.direction === 'in') {
    const others = envelopes.filter((_envelope, place) => !places.has(place))
    await readReplies(reading, others)
  }
  if (kept.length === 0) return
  const byUid = new Map(kept.map((envelope) => [envelope.uid, envelope]))
  const more = { uid: true, bodyStructure: true, headers: wantedHeaders }
  const described: FetchMessageObject[] = []
  // First all of them: no command may be sent while the answers to another come in.
  for await (const message of client.fetch([...byUid.keys()].join(','), more, { uid: true })) {
    described.push(message)
  }
  mustBeThere(client)
  for (const message of described) {
    signal.throwIfAborted()
    const envelope = byUid.get(message.uid)
    if (envelope) await readOne(reading, envelope, message)
  }
}

/** Whoever answers a mail ends the wait for a reply, though nothing of theirs is kept. */
async function readReplies({ client, store, signal }: Reading, others: Envelope[]): Promise<void> {
  const answers = others.filter(({ isAnswer }) => isAnswer)
  if (answers.length === 0 || !(await store.awaitsReply())) return
  signal.throwIfAborted()
  const senders = new Map(answers.map(({ uid, sender }) => [uid, sender]))
  const query = { uid: true, headers: wantedHeaders }
  const replies: Reply[] = []
  for await (const message of client.fetch([...senders.keys()].join(','), query, { uid: true })) {
    const { refs, is_automatic, is_doubtful } = headersIn(message.headers)
    if (is_automatic || is_doubtful) continue
    replies.push({ sender: senders.get(message.uid) ?? null, refs })
  }
  mustBeThere(client)
  if (replies.length > 0) await store.noteReplies(replies)
}

async function readOne(reading: Reading, envelope: Envelope, message: FetchMessageObject) {
  const { client, store, folder, validity } = reading
  const { texts, attachments } = partsOf(message.bodyStructure)
  const body = await textsOf(client, String(envelope.uid), texts)
  // Moved or deleted while it was read: elsewhere it is found again, with its text.
  if (!body) return
  const { refs, is_automatic, is_doubtful } = headersIn(message.headers)
  await store.store({
    ...envelope,
    ...bodyOf(body.text, body.html),
    is_cut: body.isCut,
    refs,
    direction: folder.direction,
    attachments,
    folder: folder.path,
    folder_validity: validity,
    is_automatic: folder.direction === 'in' && is_automatic,
    is_doubtful: folder.direction === 'in' && is_doubtful,
  })
}

type Body = { text: string | null; html: string | null; isCut: boolean }

/** Null where the mail is not there any more. */
async function textsOf(
  client: ImapFlow,
  uid: string,
  texts: ReturnType<typeof partsOf>['texts'],
): Promise<Body | null> {
  const body: Body = { text: null, html: null, isCut: false }
  if (texts.length === 0) return body
  const bodyParts = texts.map(({ part, most }) => ({ key: part, start: 0, maxLength: most }))
  const fetched = await client.fetchOne(uid, { uid: true, bodyParts }, { uid: true })
  if (!fetched) {
    const isThere = await client.fetchOne(uid, { uid: true }, { uid: true })
    mustBeThere(client)
    return isThere ? body : null
  }
  for (const text of texts) {
    const bytes = fetched.bodyParts?.get(text.part)
    if (!bytes) continue
    try {
      const read = await decoded(text, bytes, fetched.binaryParts?.has(text.part) ?? false)
      body[text.node.type === 'text/html' ? 'html' : 'text'] = read.text
      body.isCut ||= read.isCut
    } catch (error) {
      // Its envelope is kept; what it says can be read in the mail app.
      logProblem(`A part of a mail could not be read: ${describeError(error)}`)
    }
  }
  return body
}
