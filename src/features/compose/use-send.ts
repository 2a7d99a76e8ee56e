import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { counted } from '#domain/counted.ts'
import { shownMoment } from '#domain/dates.ts'
import { type MailDraft, plannedMails } from '#domain/mail-draft.ts'
import { type PlannedMail, undoSeconds } from '#domain/outgoing-mail.ts'
import { loadUpload } from '#features/files/index.ts'
import { type ComposerRequest, type MailSubject, openComposer } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage, isUnreachable } from '#lib/errors.ts'
import { newId } from '#lib/new-id.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { hasTypedText } from '#ui/use-leave-question.ts'
import { usePlanMails, useStopMails } from './queries.ts'

type Sending = {
  request: ComposerRequest
  draft: MailDraft
  signature: string | null
  /** Those that are not stored yet. */
  newFiles: ReadonlyMap<string, File>
  /** Where they are kept. */
  subject: MailSubject | null
  /** Called as each of them is stored. */
  onStored: (id: string) => void
  /** Called when the mail in the outbox that this one should replace was sent already. */
  onLeft: () => void
  /** All that were stored for this mail. */
  storedFiles: () => readonly string[]
}

/** Sends what is written: its files first, then the mail itself, which can be taken back for a while. */
export function useSend() {
  const plan = usePlanMails()
  const stop = useStopMails()
  const navigate = useNavigate()
  const timeZone = useTimeZone()
  const tried = useRef({ content: '', ids: [] as string[] })
  const [state, setState] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  /** Gives the mails their ids. An unchanged retry has the same ids, so the server takes it once; a changed one has new ids. */
  function withIds(mails: PlannedMail[]): PlannedMail[] {
    const content = JSON.stringify(mails)
    if (tried.current.content !== content) tried.current = { content, ids: mails.map(newId) }
    return mails.map((mail, place) => ({ ...mail, id: tried.current.ids[place] ?? newId() }))
  }

  /** Whether it was taken. What is wrong has been told by then, and everything typed stays. */
  async function send(sending: Sending): Promise<boolean> {
    setProblem(null)
    try {
      setState('Sending...')
      const draft = await storeFiles(sending)
      const mails = plannedMails(draft, sending.signature)
      const { request } = sending
      const replaces = [...(request.outgoing ? [request.outgoing] : []), ...(request.undone ?? [])]
      // Taken before the request: the server starts the undo time later, so the countdown never promises too much.
      const asked = Date.now()
      const planned = await plan.mutateAsync({ mails: withIds(mails), replaces })
      request.onSent?.()
      tell({ ...sending, draft }, planned, mails.length, asked)
      return true
    } catch (error) {
      if (error instanceof FileProblem) setProblem(error.message)
      else if (isUnreachable(error)) setProblem(unsure)
      else setProblem(`Not sent: ${errorMessage(error)}`)
      // The mail to replace has left: the next try sends a new mail instead.
      if (hasLeft(error)) sending.onLeft()
      return false
    } finally {
      setState(null)
    }
  }

  async function storeFiles({ draft, newFiles, subject, onStored }: Sending): Promise<MailDraft> {
    const waiting = draft.files.filter(({ isStored }) => !isStored)
    if (waiting.length === 0) return draft
    const { upload } = await loadUpload()
    for (const [place, { id, name }] of waiting.entries()) {
      const file = newFiles.get(id)
      if (!file || !subject)
        throw new FileProblem(`${name} is gone. Remove it, and attach it again.`)
      const about = `Sending file ${place + 1} of ${waiting.length}`
      try {
        await upload({
          ...{ id, file, name, place: { record: subject.record, id: subject.id } },
          signal: new AbortController().signal,
          onProgress: (sent) =>
            setState(`${about}: ${Math.floor((100 * sent) / Math.max(1, file.size))}%`),
        })
      } catch (error) {
        throw new FileProblem(
          `${name} was not sent, and neither was the email: ${errorMessage(error)}`,
        )
      }
      onStored(id)
    }
    setState('Sending...')
    return { ...draft, files: draft.files.map((file) => ({ ...file, isStored: true })) }
  }

  function tell(
    sending: Sending,
    { ids, leaves_at, waits }: { ids: string[]; leaves_at: string; waits: string | null },
    count: number,
    asked: number,
  ): void {
    const what = count > 1 ? counted(count, 'email') : 'Email'
    const later = shownMoment(leaves_at, timeZone)
    const left = Math.max(1, Math.round(undoSeconds - (Date.now() - asked) / 1000))
    // What is in the way is more important than when it would leave.
    const message = waits
      ? waits
      : sending.draft.sendAt
        ? `${what} scheduled for ${later}`
        : count > 1
          ? `Sending ${what} in ${left} s`
          : `Sending email in ${left} s`
    showToast({
      message,
      // A kind of its own: the toast of the next mail must not replace this one with its Undo.
      kind: ids[0] ?? message,
      action: { label: 'Undo', onClick: () => void undo(sending, ids) },
      also: { label: 'Outbox', onClick: () => navigate('/app/outbox') },
    })
  }

  /** Takes back what has not left, and opens the composer as it was. */
  async function undo(sending: Sending, ids: string[]): Promise<void> {
    const { request, draft, newFiles } = sending
    try {
      const { stopped, gone } = await stop.mutateAsync(ids)
      if (stopped.length === 0) {
        showError('Too late: it was already sent.', 'Not undone')
      } else if (gone.length > 0) {
        const left = `${counted(gone.length, 'email')} ${gone.length === 1 ? 'was' : 'were'} already sent`
        showToast({
          message: `${left}. The others were stopped and are in the outbox.`,
          action: { label: 'Outbox', onClick: () => navigate('/app/outbox') },
        })
      } else if (hasTypedText()) {
        // What is being written meanwhile stays open.
        showToast({
          message: 'Stopped. It’s in the outbox.',
          action: { label: 'Outbox', onClick: () => navigate('/app/outbox') },
        })
      } else {
        // The stopped mails stay in the outbox until the reopened draft is sent or discarded.
        const { outgoing: _replaced, ...rest } = request
        const storedFiles = [...sending.storedFiles()]
        openComposer({
          ...{ ...rest, undone: stopped, storedFiles },
          draft: { start: draft, files: newFiles },
        })
      }
      request.onSent?.()
    } catch {
      // The error has been reported.
    }
  }

  return { send, state, problem, setProblem }
}

function hasLeft(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'PT410'
}

/** Why a file could not be sent, in words. */
class FileProblem extends Error {}

const unsure =
  'The server can’t be reached, so it isn’t clear whether the email was accepted. Your text stays here. You can send it again: it goes out only once. Check the outbox before you change it.'
