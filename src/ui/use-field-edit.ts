import { useEffect, useRef, useState } from 'react'
import { useCellEditing } from './cell-editing.ts'
import { useLeaveQuestion } from './use-leave-question.ts'

type Edit = {
  text: string
  /** The value when editing began. */
  from: string
  error: string | null
  /** The value that another window saved meanwhile. */
  theirs: string | null
}

type FieldEditOptions = {
  value: string
  /** The error of a text, or null. */
  check: (text: string) => string | null
  /**
   * Rejects after a failure, which it reports itself. Returns the other version where another window saved first.
   */
  save: (text: string) => Promise<{ theirs: string } | null>
}

/**
 * In-place editing of a text: Enter or leaving the field saves, Escape restores. Typed text stays until it is saved or
 * discarded.
 */
export function useFieldEdit({ value, check, save }: FieldEditOptions) {
  const cell = useCellEditing()
  const begin = { text: value, from: value, error: null, theirs: null }
  const [edit, setEdit] = useState<Edit | null>(cell ? begin : null)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const display = useRef<HTMLButtonElement>(null)
  const focusNext = useRef<'input' | 'display' | null>(cell ? 'input' : null)
  const isGivenUp = useRef(false)
  const [isHalf, setIsHalf] = useState(false)
  useLeaveQuestion(edit !== null && (isHalf || edit.text.trim() !== value.trim()))

  const isOpen = edit !== null
  useEffect(() => {
    const wanted = focusNext.current
    focusNext.current = null
    if (wanted === 'input' && isOpen) {
      input.current?.focus()
      input.current?.select()
    }
    if (wanted === 'display' && !isOpen) (cell?.home() ?? display.current)?.focus()
    // Only now that the input is gone: to lose the focus would save what was typed.
    if (isGivenUp.current && !isOpen) cell?.onSettled()
  }, [isOpen, cell])

  function start(): void {
    focusNext.current = 'input'
    setIsHalf(false)
    setEdit(begin)
  }

  function close(): void {
    if (document.activeElement === input.current || input.current === null) {
      focusNext.current = 'display'
    }
    setEdit(null)
  }

  function discard(): void {
    isGivenUp.current = true
    close()
  }

  async function send(text: string): Promise<void> {
    close()
    const reopen = (theirs: string | null, error: string | null) => {
      // Leave the focus alone if the user has moved it.
      const focused = document.activeElement
      const home = cell?.home() ?? display.current
      if (focused === home || focused === document.body) focusNext.current = 'input'
      setEdit((now) => now ?? { text, from: theirs ?? value, error, theirs })
    }
    try {
      const answer = await save(text)
      if (answer) reopen(answer.theirs, null)
      else cell?.onSettled()
    } catch {
      reopen(null, 'Not saved.')
    }
  }

  /** An incomplete date has an empty value; only the validity shows it. */
  function holdsHalf(): boolean {
    return input.current?.validity.badInput ?? false
  }

  function commit(): void {
    if (!edit) return
    const error = holdsHalf() ? 'Complete it or clear it.' : check(edit.text)
    if (error) setEdit({ ...edit, error })
    else if (edit.text.trim() === value.trim()) discard()
    // Another window changed the value during editing.
    else if (value !== edit.from && edit.theirs !== value) setEdit({ ...edit, theirs: value })
    else send(edit.text)
  }

  return {
    edit,
    input,
    display,
    start,
    commit,
    discard,
    /** Saves over the other version, which the user has seen. */
    overwrite: () => edit && send(edit.text),
    type: (text: string) => setEdit(edit && { ...edit, text, error: null }),
    /** For key-up: a half-typed date fires no change event. */
    notice: () => setIsHalf(holdsHalf()),
    leave() {
      // Do not save on blur while an error or a conflict is open.
      if (edit && edit.theirs === null && edit.error === null) commit()
    },
  }
}
