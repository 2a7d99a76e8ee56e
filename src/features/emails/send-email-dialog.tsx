import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import { BccStep } from './bcc-step.tsx'
import { ComposeStep } from './compose-step.tsx'
import { EachStep } from './each-step.tsx'
import classes from './emails.module.css'
import { useMessage } from './use-message.ts'
import { useOpened } from './use-opened.ts'
import { useRecipients } from './use-recipients.ts'
import type { Way } from './way-to-send.tsx'

export type SendEmailDialogProps = {
  /** The contacts to write to. */
  filter: ContactFilter
  /** How many they are. */
  count: number
  onClose: () => void
  /** Called when e-mails were logged, or the log was undone. */
  onSent?: (() => void) | undefined
  /** Why they are not sent from here. */
  why?: ReactNode
}

/** Writes to contacts and hands over to the user's mail program. */
export function SendEmailDialog({ filter, count, onClose, onSent, why }: SendEmailDialogProps) {
  const recipients = useRecipients(filter)
  const message = useMessage()
  const opened = useOpened(onSent)
  const [way, setWay] = useState<Way>('each')
  const [isComposing, setIsComposing] = useState(true)
  const [isSkippedThrough, setIsSkippedThrough] = useState(false)
  const [isCovered, setIsCovered] = useState(false)
  const { all } = recipients.people
  // A message that all recipients got may be discarded without a question.
  const isFinished = isSkippedThrough || (all.length > 0 && opened.markOf(all) !== undefined)
  const { isAsking, mayLeave } = useLeaveQuestion(message.isDirty && !isFinished)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })

  async function close(): Promise<void> {
    if (await mayLeave()) onClose()
  }
  const step = {
    text: message.text,
    all,
    opened,
    onClose: close,
    onBack() {
      setIsComposing(true)
      setIsSkippedThrough(false)
    },
  }
  return (
    <Modal
      opened
      onClose={close}
      // Not while another dialog is open over this one.
      closeOnEscape={!isAsking && !isCovered}
      trapFocus={!isCovered}
      title="Send email"
      size={isComposing ? 960 : 560}
      fullScreen={isNarrow}
      yOffset="6dvh"
      classNames={{ body: classes.dialog ?? '' }}
    >
      {isComposing && (
        <ComposeStep
          count={count}
          recipients={recipients}
          message={message}
          way={way}
          onWay={setWay}
          onCover={setIsCovered}
          onCancel={close}
          onContinue={() => setIsComposing(false)}
          why={why}
        />
      )}
      {!isComposing && way === 'each' && <EachStep {...step} onFinished={setIsSkippedThrough} />}
      {!isComposing && way === 'bcc' && <BccStep {...step} />}
    </Modal>
  )
}
