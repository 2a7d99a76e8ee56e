import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from './unchosen-question.module.css'
import type { Choice } from './use-typed-choice.ts'

type UnchosenQuestionProps = {
  /** The question for screen readers. */
  label: string
  typed: string
  match: Choice | undefined
  /** The current choice, which stays when the typed text is dropped. */
  kept: Choice | null
  onUse: (choice: Choice) => void
  onKeep: () => void
  /** Creates a new record; false when that is impossible or failed, which has been reported. */
  onCreate: (() => Promise<boolean>) | undefined
  /** How often the form was submitted and held back. */
  holds: number
}

/** Asks what a typed name means that was not chosen from the list. */
export function UnchosenQuestion(props: UnchosenQuestionProps) {
  const { label, typed, match, kept, onUse, onKeep, onCreate, holds } = props
  const [isCreating, setIsCreating] = useState(false)
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (holds === 0) return
    box.current?.querySelector('button')?.focus({ preventScroll: true })
    // Centre it, because the dialog's footer covers the lower edge.
    box.current?.scrollIntoView({ block: 'center' })
  }, [holds])

  async function create(): Promise<void> {
    if (isCreating) return
    setIsCreating(true)
    const isDone = await onCreate?.()
    if (!isDone) setIsCreating(false)
  }
  return (
    <fieldset ref={box} className={classes.question} aria-label={label}>
      {match && (
        <Button {...look} onClick={() => onUse(match)}>
          Use {match.label}
        </Button>
      )}
      {onCreate && (
        <Button
          {...look}
          variant={match ? 'default' : 'filled'}
          aria-disabled={isCreating}
          data-saving={isCreating || undefined}
          onClick={create}
        >
          {isCreating ? 'Saving...' : `Create ${typed}`}
        </Button>
      )}
      {(!match || match.id !== kept?.id) && (
        <Button {...look} variant={match || onCreate ? 'subtle' : 'default'} onClick={onKeep}>
          {kept ? `Keep ${kept.label}` : 'Leave empty'}
        </Button>
      )}
    </fieldset>
  )
}

const look = {
  size: 'compact-sm',
  classNames: { root: classes.button ?? '', label: classes.label ?? '' },
} as const
