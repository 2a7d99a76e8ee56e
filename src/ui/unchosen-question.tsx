import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from './unchosen-question.module.css'
import type { Choice } from './use-typed-choice.ts'

type UnchosenQuestionProps = {
  /** What is asked, for those who do not see the field above. */
  label: string
  typed: string
  match: Choice | undefined
  /** What stays when nothing of what was typed is taken. */
  kept: Choice | null
  onUse: (choice: Choice) => void
  onKeep: () => void
  /** Makes a new one; false where that is not possible or failed, which has been told. */
  onCreate: (() => Promise<boolean>) | undefined
  /** How often a form was held back that waits for the answer. */
  holds: number
}

/** A name was typed and nothing chosen: what is meant by it. */
export function UnchosenQuestion(props: UnchosenQuestionProps) {
  const { label, typed, match, kept, onUse, onKeep, onCreate, holds } = props
  const [isCreating, setIsCreating] = useState(false)
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (holds === 0) return
    box.current?.querySelector('button')?.focus({ preventScroll: true })
    // Not under the foot of the dialog, which stands over what is scrolled.
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
