import { Button, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { withoutDoubles } from '#domain/mail-addresses.ts'
import {
  detailsOf,
  draftProblem,
  everybody,
  type MailDraft,
  type MailWay,
  missingFields,
} from '#domain/mail-draft.ts'
import { hasFields } from '#domain/mail-merge.ts'
import { htmlToText, textToHtml } from '#domain/mail-text.ts'
import { Notice, Preview, TemplateBar, UnknownFields, useMessage } from '#features/emails/index.ts'
import { droppedFiles, pastedFiles } from '#features/files/index.ts'
import type { ComposerRequest, MailSubject } from '#features/forms/index.ts'
import type { MailAccount } from '#features/mail/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useIsOffline } from '#lib/network.ts'
import { newId } from '#lib/new-id.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { saveOnKeys } from '#ui/form-keys.ts'
import { RichText, type RichTextHandle } from '#ui/rich-text.tsx'
import { showToast } from '#ui/toast.tsx'
import { AddressField, type AddressFieldHandle } from './address-field.tsx'
import { Attachments, needsContact } from './attachments.tsx'
import { Quoted, Signature } from './below-text.tsx'
import { ComposeFoot } from './compose-foot.tsx'
import classes from './composer.module.css'
import { FieldMenu } from './field-menu.tsx'
import { FollowUp } from './follow-up.tsx'
import { useSend } from './use-send.ts'

export type ComposeFormProps = {
  request: ComposerRequest
  accounts: MailAccount[]
  draft: MailDraft
  onDraft: (change: Partial<MailDraft>) => void
  /** A file of it is stored now. */
  onStored: (id: string) => void
  storedFiles: () => readonly string[]
  /** Called when the mail in the outbox that this one should replace was sent already. */
  onLeft: () => void
  /** Files of the draft that are not stored yet. */
  newFiles: ReadonlyMap<string, File>
  onNewFiles: (files: ReadonlyMap<string, File>) => void
  /** Who is left out, and why. */
  notice: ReactNode
  onCover: (isCovered: boolean) => void
  onSending: (isSending: boolean) => void
  /** It was sent. */
  onDone: () => void
  onCancel: () => void
}

/** What a mail is written in. */
export function ComposeForm(props: ComposeFormProps) {
  const { request, accounts, draft, onDraft, newFiles, onNewFiles } = props
  const { notice, onStored, storedFiles, onLeft, onCover, onSending, onDone, onCancel } = props
  const timeZone = useTimeZone()
  const isOffline = useIsOffline()
  const element = useRef<HTMLFormElement>(null)
  const editor = useRef<RichTextHandle>(null)
  const subjectInput = useRef<HTMLInputElement>(null)
  const lastField = useRef<'subject' | 'html'>('html')
  const addressFields = useRef<Record<'to' | 'cc' | 'bcc', AddressFieldHandle | null>>({
    to: null,
    cc: null,
    bcc: null,
  })
  const { send, state, problem, setProblem } = useSend()
  const [wrong, setWrong] = useState<ReturnType<typeof draftProblem>>(null)
  const [shown, setShown] = useState({ cc: draft.cc.length > 0, bcc: draft.bcc.length > 0 })
  const isAnswer = draft.answers !== null
  const text = useMemo(() => htmlToText(draft.html), [draft.html])
  const message = useMessage({
    initial: { subject: draft.subject, body: text },
    onReplace({ subject, body }) {
      // An answer keeps the subject of its conversation.
      if (!isAnswer) onDraft({ subject })
      editor.current?.setHtml(textToHtml(body))
    },
  })
  const isSending = state !== null
  const account = accounts.find(({ id }) => id === draft.account)
  const subject = request.subject ?? subjectOf(draft)
  const people = everybody(draft)
  const missing = useMemo(() => missingFields(draft), [draft])
  const usesFields = hasFields(`${draft.subject} ${text}`)
  const errorOf = (field: string) => (wrong?.field === field ? wrong.words : undefined)

  function change(changes: Partial<MailDraft>): void {
    onDraft(changes)
    setWrong(null)
    setProblem(null)
  }
  function setSubject(next: string): void {
    change({ subject: next })
    message.change({ subject: next })
  }
  function setWay(way: MailWay): void {
    // Recipients of one mail each did not see each other, so the joint mail has them in Bcc.
    if (way === 'one') change({ way, to: [], bcc: withoutDoubles([...draft.to, ...draft.bcc]) })
    else change({ way, to: withoutDoubles(people), cc: [], bcc: [] })
    setShown({ cc: false, bcc: way === 'one' })
  }
  function insert(field: string): void {
    if (lastField.current === 'html') {
      editor.current?.insert(field)
      return
    }
    const input = subjectInput.current
    const from = input?.selectionStart ?? draft.subject.length
    const to = input?.selectionEnd ?? from
    setSubject(`${draft.subject.slice(0, from)}${field}${draft.subject.slice(to)}`)
    input?.focus()
  }
  function addFiles(files: File[]): void {
    if (files.length === 0) return
    if (!subject) {
      showToast({ message: needsContact })
      return
    }
    const added = files.map((file) => ({ id: newId(), file }))
    onNewFiles(new Map([...newFiles, ...added.map(({ id, file }) => [id, file] as const)]))
    const lines = added.map(({ id, file }) => ({
      ...{ id, name: file.name, size: file.size, isStored: false },
    }))
    change({ files: [...draft.files, ...lines] })
  }
  function takeFiles(event: { preventDefault(): void; stopPropagation(): void }, files: File[]) {
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    addFiles(files)
  }

  async function submit(): Promise<void> {
    if (isSending) return
    const fields = Object.values(addressFields.current).filter((field) => field !== null)
    // All of them, so that each asks about what is typed in it.
    if (fields.map((field) => field.settle()).includes(false)) return
    setIsChecked(true)
  }
  // `settle` adds half-typed addresses to the draft, which only the next render has: check the draft there.
  const [isChecked, setIsChecked] = useState(false)
  useEffect(() => {
    if (!isChecked) return
    setIsChecked(false)
    void check()
  })
  async function check(): Promise<void> {
    const found = draftProblem(draft)
    setWrong(found)
    if (found) {
      show(found.field)
      return
    }
    if (isOffline) {
      setProblem(
        'You’re offline, so the email can’t be sent now. Your text stays here; send it when you’re back online.',
      )
      return
    }
    if (!(await confirmsDoubts())) return
    onSending(true)
    const isTaken = await send({
      ...{ request, draft, newFiles, subject },
      signature: account?.signature ?? null,
      onStored,
      storedFiles,
      onLeft,
    })
    onSending(false)
    if (isTaken) onDone()
  }
  async function confirmsDoubts(): Promise<boolean> {
    const doubts = [
      ...(draft.subject.trim() === '' ? ['This email has no subject.'] : []),
      ...missing.map((words) => `${words}.`),
    ]
    if (doubts.length === 0) return true
    onCover(true)
    const isSure = await confirmAction({
      title: 'Send this email?',
      body: doubts.join(' '),
      confirm: 'Send anyway',
      cancel: 'Keep writing',
    })
    onCover(false)
    return isSure
  }
  function show(field: NonNullable<typeof wrong>['field']): void {
    if (field === 'to') addressFields.current.to?.focus()
    else if (field === 'html') editor.current?.focus()
    else if (field === 'subject') subjectInput.current?.focus()
    else element.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
  }

  const isEach = draft.way === 'each'
  const addressField = (name: 'to' | 'cc' | 'bcc', label: string, side?: ReactNode) => (
    <AddressField
      ref={(handle) => {
        addressFields.current[name] = handle
      }}
      label={label}
      people={draft[name]}
      onChange={(next) => change({ [name]: next })}
      error={errorOf(name)}
      side={side}
      isFirst={name === 'to' && draft.to.length === 0 && !isAnswer}
    />
  )
  const copies = (['cc', 'bcc'] as const).filter((name) => !shown[name] && !isEach)
  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      onKeyDownCapture={saveOnKeys}
      onPasteCapture={(event) => takeFiles(event, pastedFiles(event.clipboardData, timeZone))}
      onDropCapture={(event) => takeFiles(event, droppedFiles(event.dataTransfer))}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
    >
      <div className={classes.fields}>
        {notice}
        {accounts.length > 1 && (
          <Select
            label="From"
            name="account"
            data={accounts.map(({ id, address }) => ({ value: id, label: address }))}
            value={draft.account}
            allowDeselect={false}
            error={errorOf('account')}
            comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed', shadow: 'md' }}
            onChange={(id) => change({ account: id })}
          />
        )}
        {addressField(
          'to',
          'To',
          copies.length > 0 && (
            <span className={classes.copies}>
              {copies.map((name) => (
                <Button
                  key={name}
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  onClick={() => setShown({ ...shown, [name]: true })}
                >
                  {name === 'cc' ? 'Cc' : 'Bcc'}
                </Button>
              ))}
            </span>
          ),
        )}
        {!isEach && shown.cc && addressField('cc', 'Cc')}
        {!isEach && shown.bcc && addressField('bcc', 'Bcc')}
        {!isAnswer && (people.length > 1 || isEach) && (
          <div>
            <SegmentedControl
              size="xs"
              aria-label="How to send"
              data={[
                { value: 'one', label: 'One email' },
                { value: 'each', label: 'One per person' },
              ]}
              value={draft.way}
              onChange={(way) => setWay(way === 'each' ? 'each' : 'one')}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {isEach
                ? 'Personalized with each contact’s details, and sent one by one at the pace your mailbox allows.'
                : draft.to.length + draft.cc.length === 0
                  ? 'Same text for everyone. Recipients don’t see each other.'
                  : 'Same text for everyone. Recipients in To and Cc see each other.'}
            </Text>
          </div>
        )}
        <TemplateBar message={message} onCover={onCover} />
        <div>
          <TextInput
            ref={subjectInput}
            label="Subject"
            name="subject"
            autoComplete="off"
            dir="auto"
            data-autofocus={draft.to.length > 0 && !isAnswer ? true : undefined}
            value={draft.subject}
            error={errorOf('subject') ?? message.errors.subject}
            onFocus={() => {
              lastField.current = 'subject'
            }}
            onChange={({ currentTarget }) => setSubject(currentTarget.value)}
          />
          <UnknownFields text={draft.subject} />
        </div>
        <div>
          <RichText
            ref={editor}
            label="Message"
            isFirst={isAnswer}
            html={draft.html}
            error={errorOf('html') ?? message.errors.body}
            onFocus={() => {
              lastField.current = 'html'
            }}
            onChange={(html) => {
              change({ html })
              message.change({ body: htmlToText(html) })
            }}
            tools={<FieldMenu onInsert={insert} />}
          />
          <UnknownFields text={text} />
        </div>
        {missing.length > 0 && (
          <div role="status">
            {missing.map((words) => (
              <Notice key={words}>{words}.</Notice>
            ))}
          </div>
        )}
        <Signature
          signature={account?.signature ?? null}
          isOn={draft.hasSignature}
          onChange={(hasSignature) => change({ hasSignature })}
        />
        {draft.quote && (
          <Quoted
            quote={draft.quote}
            isOn={draft.hasQuote}
            onChange={(hasQuote) => change({ hasQuote })}
          />
        )}
        <Attachments
          files={draft.files}
          subject={subject}
          onAdd={addFiles}
          onChange={(files) => change({ files })}
          error={errorOf('files') ?? null}
        />
        <FollowUp days={draft.followUpDays} onChange={(followUpDays) => change({ followUpDays })} />
        {isEach && usesFields && (
          <Preview
            text={{ subject: draft.subject, body: text }}
            all={draft.to.map((person) => ({
              address: person.address,
              contact: {
                id: person.address,
                role_title: null,
                company_name: null,
                ...detailsOf(person),
              },
              ids: [],
            }))}
          />
        )}
      </div>
      <ComposeFoot
        {...{ draft, accounts, account, problem, isOffline, state, onCancel, onCover }}
        onSendAt={(sendAt) => change({ sendAt })}
      />
    </form>
  )
}

/** The first contact it goes to. */
function subjectOf(draft: MailDraft): MailSubject | null {
  const first = everybody(draft).find(({ contact }) => contact)
  if (!first?.contact) return null
  return { record: 'contact', id: first.contact.id, name: first.name || first.address }
}
