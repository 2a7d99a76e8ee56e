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
import { useForgetMails, usePlanMails, useStopMails } from './queries.ts'

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
}

/** Sends what is written: its files first, then the mail itself, which can be taken back for a while. */
export function useSend() {
  const plan = usePlanMails()
  const stop = useStopMails()
  const forget = useForgetMails()
  const navigate = useNavigate()
  const timeZone = useTimeZone()
  const tried = useRef({ content: '', ids: [] as string[] })
  const [state, setState] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  /** One that is tried again as it was has the same id, and is taken once; one that was changed since is another. */
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
      const planned = await plan.mutateAsync(withIds(mails))
      const { request } = sending
      // Now the new one stands for it.
      if (request.outgoing) await forget.mutateAsync([request.outgoing]).catch(() => {})
      request.onSent?.()
      tell({ ...sending, draft }, planned, mails.length)
      return true
    } catch (error) {
      if (error instanceof FileProblem) setProblem(error.message)
      else if (isUnreachable(error)) setProblem(unsure)
      else setProblem(`Not sent: ${errorMessage(error)}`)
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
  ): void {
    const what = count > 1 ? counted(count, 'email') : 'Email'
    const later = shownMoment(leaves_at, timeZone)
    // What is in the way is more important than when it would leave.
    const message = waits
      ? waits
      : sending.draft.sendAt
        ? `${what} scheduled for ${later}`
        : count > 1
          ? `Sending ${what} in ${undoSeconds} s`
          : `Sending email in ${undoSeconds} s`
    showToast({
      message,
      action: { label: 'Undo', onClick: () => void undo(sending, ids) },
      also: { label: 'Outbox', onClick: () => navigate('/app/outbox') },
    })
  }

  /** Takes back what has not left, and opens the composer as it was. */
  async function undo({ request, draft, newFiles }: Sending, ids: string[]): Promise<void> {
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
        await forget.mutateAsync(stopped).catch(() => {})
        const { outgoing: _sent, ...rest } = request
        openComposer({ ...rest, draft: { start: draft, files: newFiles } })
      }
      request.onSent?.()
    } catch {
      // The error has been reported.
    }
  }

  return { send, state, problem, setProblem }
}

/** Why a file could not be sent, in words. */
class FileProblem extends Error {}

const unsure =
  'The server can’t be reached, so it isn’t clear whether the email was accepted. Your text stays here. You can send it again: it goes out only once. Check the outbox before you change it.'
