import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { shownMoment } from '#domain/dates.ts'
import { isWritten, type MailDraft, newDraft } from '#domain/mail-draft.ts'
import { Notice, SendEmailDialog, useRecipients, WhoGetsIt } from '#features/emails/index.ts'
import type { ComposerRequest } from '#features/forms/index.ts'
import { type MailAccount, useMailAccounts } from '#features/mail/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { hasOwnServer } from '#lib/server-call.ts'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { ComposeForm } from './compose-form.tsx'
import { ComposerFrame } from './composer.tsx'
import { HandOver } from './hand-over.tsx'
import { draftKeeper, type KeptDraft } from './kept-drafts.ts'
import { LeftBehind, useLeftBehind } from './left-behind.tsx'
import {
  correspondentOf,
  holdMail,
  readOutgoing,
  releaseMail,
  removeStored,
  useContactsBehind,
  useForgetMails,
  withContacts,
} from './queries.ts'
import { answerTo, correctionOf, newMail } from './start-of.ts'

type WriteEmailProps = { request: ComposerRequest; onClose: () => void }

/** Writes and sends a mail; where nothing can be sent from here, hands over to another program and says why. */
export function WriteEmail({ request, onClose }: WriteEmailProps) {
  // Each request is a composer of its own: what was typed in the one before is not taken for it.
  const [shown, setShown] = useState({ request, turn: 0 })
  if (shown.request !== request) setShown({ request, turn: shown.turn + 1 })
  return <Asked key={shown.turn} request={request} onClose={onClose} />
}

function Asked({ request, onClose }: WriteEmailProps) {
  const [{ behind, ...rest }] = useState(request)
  if (!behind) return <Write request={rest} onClose={onClose} />
  return <Behind behind={behind} request={rest} onClose={onClose} />
}

type BehindProps = WriteEmailProps & { behind: NonNullable<ComposerRequest['behind']> }

/** Finds the contacts of companies or deals first. */
function Behind({ behind, request, onClose }: BehindProps) {
  const { data: ids, error, refetch } = useContactsBehind(behind)
  if (ids && ids.length > 0) {
    const contacts = { filter: { ids }, count: ids.length }
    return <Write request={{ ...request, contacts }} onClose={onClose} />
  }
  return (
    <Waiting onClose={onClose}>
      {error ? (
        <ErrorState
          title="The contacts could not be loaded"
          message={errorMessage(error)}
          onRetry={refetch}
        />
      ) : ids ? (
        <Notice>
          {behind.record === 'companies'
            ? 'There are no contacts at these companies. Add one to write to.'
            : 'There are no contacts on these deals. Add one to write to.'}
        </Notice>
      ) : (
        <LoadingState text="Loading contacts..." />
      )}
    </Waiting>
  )
}

function Write({ request, onClose }: WriteEmailProps) {
  const [isOffered] = useState(hasOwnServer)
  const { data: accounts, error } = useMailAccounts()
  // Which mailboxes can send is decided once: a change elsewhere must not unmount the composer.
  const [senders, setSenders] = useState<MailAccount[] | null>(null)
  if (accounts && !senders) setSenders(accounts.filter(({ smtp_host }) => smtp_host !== null))
  if (isOffered && !senders && !error) return null
  if (isOffered && senders && senders.length > 0) {
    const now = accounts?.filter(({ id }) => senders.some((each) => each.id === id)) ?? senders
    return <Begin request={request} accounts={now.length > 0 ? now : senders} onClose={onClose} />
  }
  const why = isOffered ? (
    <>
      {error
        ? `Your mailboxes could not be loaded, so this opens in your mail app. ${errorMessage(error)}`
        : accounts && accounts.length > 0
          ? 'Your mailbox has no outgoing server, so this opens in your mail app. '
          : 'No mailbox is connected, so this opens in your mail app. '}
      {!error && (
        <Link to="/app/settings/email" onClick={onClose}>
          Settings › Email
        </Link>
      )}
    </>
  ) : (
    'This opens in your mail app. Sending from here isn’t available with a Supabase project; it needs Solo CRM’s own server.'
  )
  if (request.contacts) {
    const { contacts, onSent } = request
    return <SendEmailDialog {...contacts} onClose={onClose} onSent={onSent} why={why} />
  }
  return <HandOver request={request} why={why} onClose={onClose} />
}

type BeginProps = WriteEmailProps & { accounts: MailAccount[] }

/** Finds out what the mail begins with. */
function Begin({ request, accounts, onClose }: BeginProps) {
  const timeZone = useTimeZone()
  if (request.draft) {
    const { start, files } = request.draft
    return <Writing {...{ request, accounts, onClose, files }} initial={start} start={newDraft} />
  }
  if (request.outgoing) {
    return <Correction id={request.outgoing} {...{ request, accounts, onClose }} />
  }
  if (request.contacts) return <ToContacts {...{ request, accounts, onClose }} />
  if (request.address) {
    const person = { address: request.address, name: '', contact: null }
    const start = newMail([person], accounts, request.subject)
    return <Known id={request.address} {...{ request, accounts, onClose, start }} />
  }
  const { answer } = request
  if (answer) {
    const when = shownMoment(answer.mail.sent_at, timeZone)
    const start = answerTo(answer.mail, answer.isToAll, accounts, when)
    return <Known id={answer.mail.id} {...{ request, accounts, onClose, start }} />
  }
  const start = newMail([], accounts, request.subject)
  return <Writing {...{ request, accounts, onClose }} initial={start} start={start} />
}

type KnownProps = BeginProps & { id: string; start: MailDraft }

/** Finds the contacts behind addresses first, for their files and their fields. */
function Known({ id, start, ...rest }: KnownProps) {
  const { data, isPending } = useQuery({
    queryKey: ['contacts', 'people of mail', id],
    queryFn: ({ signal }) => withContacts(start, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (isPending) {
    return (
      <Waiting onClose={rest.onClose}>
        <LoadingState text="Loading email..." />
      </Waiting>
    )
  }
  // If the lookup failed, the addresses are used without their contacts.
  return <Writing {...rest} initial={data ?? start} start={data ?? start} />
}

/** Reads the contacts first. */
function ToContacts({ request, accounts, onClose }: BeginProps) {
  const { filter, count } = request.contacts ?? { filter: {}, count: 0 }
  const recipients = useRecipients(filter)
  if (!recipients.isDone) {
    return (
      <Waiting onClose={onClose}>
        <WhoGetsIt recipients={recipients} count={count} />
      </Waiting>
    )
  }
  const { all, without, sharing } = recipients.people
  const people = all.map(({ contact, address }) => correspondentOf(contact, address))
  const start = newMail(people, accounts, request.subject)
  const hasNotice = without.length > 0 || sharing.length > 0 || all.length === 0
  return (
    <Writing
      {...{ request, accounts, onClose }}
      initial={start}
      start={start}
      notice={hasNotice && <WhoGetsIt recipients={recipients} count={count} />}
    />
  )
}

/** Reads the mail of the outbox first. */
function Correction({ id, request, accounts, onClose }: BeginProps & { id: string }) {
  const { data, error, refetch } = useQuery({
    // Not under the key of the outbox: a write to the outbox invalidates that key, and must not read this mail again.
    queryKey: ['outgoing-mail', id],
    queryFn: async ({ signal }) => {
      // The lease: a waiting mail is not sent while it is edited.
      const { gone } = await holdMail(id)
      if (gone.includes(id)) throw new Error('Too late: it was already sent.')
      const mail = await readOutgoing(id, signal)
      const start = correctionOf(mail, accounts, Date.now())
      return { start: await withContacts(start, signal), problem: mail.problem }
    },
    // As it is now, and not again while it is written on.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (!data) {
    function leave(): void {
      void releaseMail(id).catch(() => {})
      onClose()
    }
    return (
      <Waiting onClose={leave}>
        {error ? (
          <ErrorState
            title="This email could not be loaded"
            message={errorMessage(error)}
            onRetry={refetch}
          />
        ) : (
          <LoadingState text="Loading email..." />
        )}
      </Waiting>
    )
  }
  return (
    <Writing
      {...{ request, accounts, onClose }}
      initial={data.start}
      start={data.start}
      notice={data.problem && <Notice>{data.problem}</Notice>}
    />
  )
}

function Waiting({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <ComposerFrame
      title="New email"
      isDirty={false}
      isCovered={false}
      isSending={false}
      onClose={onClose}
    >
      {() => <div style={{ padding: '4px var(--solo-dialog-side) 24px' }}>{children}</div>}
    </ComposerFrame>
  )
}

type WritingProps = BeginProps & {
  initial: MailDraft
  /** The draft without input of the user: it is discarded without a question. */
  start: MailDraft
  files?: ReadonlyMap<string, File>
  notice?: ReactNode
}

function Writing(props: WritingProps) {
  const { accounts, initial, start: begun, files, onClose } = props
  const [request, setRequest] = useState(props.request)
  const [notice, setNotice] = useState(props.notice)
  const [start] = useState(begun)
  const [draft, setDraft] = useState(initial)
  const [newFiles, setNewFiles] = useState<ReadonlyMap<string, File>>(files ?? new Map())
  const stored = useRef(props.request.storedFiles ?? [])
  const [isCovered, setIsCovered] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const forget = useForgetMails()
  const isDirty = isWritten(draft, start)
  const [keeper] = useState(draftKeeper)
  useEffect(() => {
    const { subject, outgoing, undone } = request
    const of = { subject, outgoing, undone, storedFiles: stored.current }
    keeper.keep(isDirty ? draft : null, of)
  }, [keeper, draft, isDirty, request])
  // Also when a crash takes the screen away: then it is offered again.
  useEffect(() => () => keeper.leave(), [keeper])
  useHeld(request.outgoing)
  /** Discards the draft: an opened outbox mail stays as it was; mails of an undo and files stored for it are deleted. */
  function leave(): void {
    keeper.end()
    if (request.outgoing) void releaseMail(request.outgoing).catch(() => {})
    if (request.undone) forget.mutate(request.undone)
    void removeStored(stored.current).catch(() => {})
    onClose()
  }
  const left = useLeftBehind()
  // Builds the editor anew.
  const [version, setVersion] = useState(0)
  function continueLeft({ draft: written, of }: KeptDraft): void {
    // The outbox mail that was opened here stays as it was: the continued draft replaces only its own mails.
    if (request.outgoing) void releaseMail(request.outgoing).catch(() => {})
    setRequest(of ?? {})
    setNotice(null)
    stored.current = of?.storedFiles ?? []
    const isThere = accounts.some(({ id }) => id === written.account)
    setDraft(isThere ? written : { ...written, account: accounts[0]?.id ?? null })
    setVersion(version + 1)
    left.take()
  }
  return (
    <ComposerFrame
      title={draft.answers ? 'Reply' : 'New email'}
      isDirty={isDirty}
      {...{ isCovered, isSending }}
      onClose={leave}
    >
      {(close) => (
        <ComposeForm
          key={version}
          {...{ request, accounts, draft, newFiles }}
          notice={
            <>
              {left.kept && !isDirty && (
                <LeftBehind kept={left.kept} onContinue={continueLeft} onDiscard={left.discard} />
              )}
              {notice}
            </>
          }
          onDraft={(change) => setDraft((before) => ({ ...before, ...change }))}
          onStored={(id) => {
            stored.current = [...stored.current, id]
            setDraft((before) => ({
              ...before,
              files: before.files.map((file) =>
                file.id === id ? { ...file, isStored: true } : file,
              ),
            }))
          }}
          storedFiles={() => stored.current}
          onLeft={() => {
            const { outgoing: _gone, undone: _stopped, ...rest } = request
            setRequest(rest)
          }}
          onNewFiles={setNewFiles}
          onCover={setIsCovered}
          onSending={setIsSending}
          onDone={() => {
            keeper.end()
            onClose()
          }}
          onCancel={close}
        />
      )}
    </ComposerFrame>
  )
}

/** A mail of the outbox does not leave while it is written on: the lease is five minutes. */
function useHeld(id: string | undefined): void {
  useEffect(() => {
    if (!id) return
    const renewing = setInterval(() => void holdMail(id).catch(() => {}), 120_000)
    return () => clearInterval(renewing)
  }, [id])
}
