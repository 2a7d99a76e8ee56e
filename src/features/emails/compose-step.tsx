import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { hasFields } from '#domain/mail-merge.ts'
import { saveOnKeys, savesOnKeys } from '#ui/form-keys.ts'
import classes from './emails.module.css'
import { MessageFields } from './message-fields.tsx'
import { Preview } from './preview.tsx'
import { TemplateBar } from './template-bar.tsx'
import type { MessageState } from './use-message.ts'
import type { Recipients } from './use-recipients.ts'
import { type Way, WayToSend } from './way-to-send.tsx'
import { Notice, WhoGetsIt } from './who-gets-it.tsx'

type ComposeStepProps = {
  count: number
  recipients: Recipients
  message: MessageState
  way: Way
  onWay: (way: Way) => void
  onCover: (isCovered: boolean) => void
  onCancel: () => void
  onContinue: () => void
  why: ReactNode
}

/** First step: the message is written. */
export function ComposeStep({
  count,
  recipients,
  message,
  way,
  onWay,
  onCover,
  onCancel,
  onContinue,
  why,
}: ComposeStepProps) {
  const form = useRef<HTMLFormElement>(null)
  const { text } = message
  const isPersonal = hasFields(`${text.subject} ${text.body}`)
  const canGoOn =
    recipients.isDone && recipients.people.all.length > 0 && !(way === 'bcc' && isPersonal)

  function submit(): void {
    if (!canGoOn) return
    const wrong = message.check()
    if (wrong) form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus()
    else onContinue()
  }

  return (
    <form
      ref={form}
      className={classes.page}
      noValidate
      onKeyDownCapture={saveOnKeys}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={classes.compose}>
        <div className={classes.column}>
          {why && <Notice>{why}</Notice>}
          <WhoGetsIt recipients={recipients} count={count} />
          <TemplateBar message={message} onCover={onCover} />
          <MessageFields text={text} errors={message.errors} onChange={message.change} />
        </div>
        <div className={classes.column}>
          <Preview text={text} all={recipients.people.all} />
          <WayToSend way={way} onChoose={onWay} hasFields={isPersonal} />
        </div>
      </div>
      <div className={classes.foot}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!canGoOn} {...savesOnKeys}>
          Continue
        </Button>
      </div>
    </form>
  )
}
