import { Button, Modal, Text } from '@mantine/core'
import { type ReactNode, type Ref, useState } from 'react'
import classes from './form-dialog.module.css'
import { saveOnKeys, savesOnKeys } from './form-keys.ts'
import { useFocusAfterCover, useFocusBack } from './use-focus-back.ts'
import { TextInside, useLeaveQuestion } from './use-leave-question.ts'

type FormDialogProps = {
  title: string
  submitLabel: string
  /** Whether typed text would be lost. */
  isDirty: boolean
  isSaving: boolean
  onSubmit: () => void
  onClose: () => void
  formRef?: Ref<HTMLFormElement>
  /** Whether another dialog is open over this one. */
  isCovered?: boolean
  size?: number
  /** The name of the record, where the title does not tell which one it is. */
  about?: string | undefined
  /** Stands beside the buttons, on a phone above them, where it is seen wherever the fields are scrolled to. */
  notice?: ReactNode
  children: ReactNode
}

/** A form in a dialog. Leaving it with changes asks first. */
export function FormDialog({
  title,
  submitLabel,
  isDirty,
  isSaving,
  onSubmit,
  onClose,
  formRef,
  isCovered = false,
  size = 480,
  about,
  notice,
  children,
}: FormDialogProps) {
  const [inside] = useState(() => new Set<object>())
  const [isHalfTyped, setIsHalfTyped] = useState(false)
  const { isAsking, mayLeave } = useLeaveQuestion(isDirty || isHalfTyped, inside)
  useFocusBack()
  useFocusAfterCover(isCovered)
  async function close(): Promise<void> {
    if (!isSaving && (await mayLeave())) onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      // Escape in the question must not close this dialog too.
      closeOnEscape={!isAsking && !isCovered}
      trapFocus={!isCovered}
      title={title}
      size={size}
      yOffset="12dvh"
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <form
        ref={formRef}
        noValidate
        onKeyDownCapture={saveOnKeys}
        // An incomplete date has no value and fires no change event, only key events.
        onKeyUp={({ currentTarget }) => setIsHalfTyped(holdsHalf(currentTarget))}
        onSubmit={(event) => {
          event.preventDefault()
          // React bubbles the submit of a nested dialog's form to the outer form.
          event.stopPropagation()
          onSubmit()
        }}
      >
        <div className={classes.fields}>
          {about && (
            <Text c="dimmed" dir="auto" className={classes.about ?? ''}>
              {about}
            </Text>
          )}
          <TextInside value={inside}>{children}</TextInside>
        </div>
        <div className={classes.foot}>
          {notice && <div className={classes.notice}>{notice}</div>}
          <Button variant="default" onClick={close} disabled={isSaving}>
            Cancel
          </Button>
          <Button
            type="submit"
            aria-disabled={isSaving}
            data-saving={isSaving || undefined}
            {...savesOnKeys}
          >
            {isSaving ? 'Saving...' : submitLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function holdsHalf(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll('input')].some(({ validity }) => validity.badInput)
}
