import { Button, Modal } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { confirmAction } from './confirm.tsx'
import classes from './form-dialog.module.css'

type FormDialogProps = {
  title: string
  submitLabel: string
  /** Something was typed that would be lost. */
  isDirty: boolean
  isSaving: boolean
  onSubmit: () => void
  onClose: () => void
  formRef?: Ref<HTMLFormElement>
  children: ReactNode
}

/** A form over the page. Leaving it changed, in whatever way, asks first. */
export function FormDialog({
  title,
  submitLabel,
  isDirty,
  isSaving,
  onSubmit,
  onClose,
  formRef,
  children,
}: FormDialogProps) {
  const { isAsking, mayLeave } = useLeaveQuestion(isDirty)
  async function close(): Promise<void> {
    if (!isSaving && (await mayLeave())) onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      // The question is a dialog of its own: Escape there must not reach this one.
      closeOnEscape={!isAsking}
      title={title}
      size={480}
      yOffset="12dvh"
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
      }}
    >
      <form
        ref={formRef}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // A form in a form's dialog must not submit the outer one too.
          event.stopPropagation()
          onSubmit()
        }}
      >
        <div className={classes.fields}>{children}</div>
        <div className={classes.foot}>
          <Button variant="default" onClick={close} disabled={isSaving}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={isSaving} data-saving={isSaving || undefined}>
            {isSaving ? 'Saving...' : submitLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** Asks before typed text is lost: by closing, by leaving for another screen, by closing the tab. */
function useLeaveQuestion(isDirty: boolean) {
  const [isAsking, setIsAsking] = useState(false)
  const isOpen = useRef(false)

  async function mayLeave(): Promise<boolean> {
    if (!isDirty) return true
    if (isOpen.current) return false
    isOpen.current = true
    setIsAsking(true)
    const goAhead = await confirmAction({
      title: 'Discard changes?',
      body: 'What you changed here has not been saved.',
      confirm: 'Discard',
      isDangerous: true,
    })
    isOpen.current = false
    setIsAsking(false)
    return goAhead
  }

  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  const ask = useRef(mayLeave)
  ask.current = mayLeave
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    ask.current().then((goAhead) => (goAhead ? blocker.proceed() : blocker.reset()))
  }, [blocker])

  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])

  return { isAsking, mayLeave }
}
