import type { ImapFlow } from 'imapflow'
import { expect, test } from 'vitest'
import { bodyOf, type Reply } from './read-mail.ts'
import { type MailStore, readMailbox } from './read-mailbox.ts'

// How a mailbox is read off a real server: supabase/tests/mailbox.test.ts.

const now = new Date('2026-11-18T10:00:00Z')

/** A mailbox whose mails all come from people who are not known. */
function strangersMailbox(mails: { from: string; inReplyTo?: string; headers?: string }[]) {
  const fetched: unknown[] = []
  const client = {
    usable: true,
    list: async () => [
      { path: 'INBOX', name: 'INBOX', delimiter: '/', flags: new Set(), status: {} },
    ],
    mailboxOpen: async () => ({ uidValidity: 1n, uidNext: mails.length + 1 }),
    search: async () => mails.map((_mail, place) => place + 1),
    async *fetch(range: string, query: object) {
      fetched.push([range, Object.keys(query)])
      for (const uid of range.split(',').map(Number)) {
        const { from, inReplyTo, headers = '' } = mails[uid - 1] ?? { from: '' }
        const envelope = { messageId: `<${uid}@x>`, from: [{ address: from }], inReplyTo }
        yield { uid, seq: uid, envelope, internalDate: now, headers: Buffer.from(headers) }
      }
    },
  }
  return { client: client as unknown as ImapFlow, fetched }
}

function storeOf(awaitsReply: boolean) {
  const replies: Reply[] = []
  const store = {
    folders: {},
    wanted: async () => [],
    sift: async () => new Set<number>(),
    store: () => Promise.reject(new Error('Nothing of a stranger is kept.')),
    saveFolder: async () => {},
    awaitsReply: async () => awaitsReply,
    noteReplies: async (told: Reply[]) => void replies.push(...told),
  } as unknown as MailStore
  return { store, replies }
}

const answer = (more = '') => ({
  from: 'assistant@else.example',
  inReplyTo: '<theirs@x>',
  headers: `References: <ours@x>\r\n <theirs@x>\r\n${more}`,
})

test('what strangers answer is told while a reply is awaited, and nothing else of theirs is read', async () => {
  const mailbox = strangersMailbox([
    { from: 'news@else.example' },
    answer(),
    answer('Auto-Submitted: auto-replied\r\n'),
    answer('Authentication-Results: own; dmarc=fail\r\n'),
  ])
  const { store, replies } = storeOf(true)
  await readMailbox(mailbox.client, store, new AbortController().signal, now)
  expect(replies).toEqual([{ sender: 'assistant@else.example', refs: ['<ours@x>', '<theirs@x>'] }])
  expect(mailbox.fetched).toEqual([
    ['1,2,3,4', ['uid', 'envelope', 'internalDate', 'size']],
    ['2,3,4', ['uid', 'headers']],
  ])

  const idle = strangersMailbox([answer()])
  await readMailbox(idle.client, storeOf(false).store, new AbortController().signal, now)
  expect(idle.fetched).toHaveLength(1)
})

test('the words of a page without plain text are joined as they are read', () => {
  const page =
    '<p>We have <b>three</b><i>!</i> questions: <a href="x">these</a>.</p><p>Bye</p><td>a</td><td>b</td>'
  expect(bodyOf(null, page)).toMatchObject({
    body_text: 'We have three! questions: these.\nBye\na b',
    snippet: 'We have three! questions: these. Bye a b',
  })
})
