import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useFocusBack } from '#ui/use-focus-back.ts'
import { TextInside, useLeaveQuestion } from '#ui/use-leave-question.ts'
import classes from './composer.module.css'

type ComposerFrameProps = {
  title: string
  /** Whether typed text would be lost. */
  isDirty: boolean
  /** Whether another dialog is open over this one. */
  isCovered: boolean
  /** It cannot be closed while it is sent. */
  isSending: boolean
  onClose: () => void
  /** Gets what asks before it closes. */
  children: (close: () => void) => ReactNode
}

/** The dialog in which mails are written; the whole screen of a phone. */
export function ComposerFrame(props: ComposerFrameProps) {
  const { title, isDirty, isCovered, isSending, onClose, children } = props
  const [inside] = useState(() => new Set<object>())
  const { isAsking, mayLeave } = useLeaveQuestion(isDirty, inside)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  useFocusBack()
  async function close(): Promise<void> {
    if (!isSending && (await mayLeave())) onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={!isAsking && !isCovered}
      // A click beside it is no wish to lose a mail.
      closeOnClickOutside={false}
      trapFocus={!isCovered}
      title={title}
      size={760}
      fullScreen={isNarrow}
      yOffset="5dvh"
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <TextInside value={inside}>{children(close)}</TextInside>
    </Modal>
  )
}
