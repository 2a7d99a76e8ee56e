import { useEffect, useRef, useState } from 'react'
import { useLeaveQuestion } from './use-leave-question.ts'

type Edit = {
  text: string
  /** What stood there when the editing began. */
  from: string
  error: string | null
  /** The same field was changed elsewhere, to this. */
  theirs: string | null
}

type FieldEditOptions = {
  value: string
  /** What is wrong with a text, if anything is. */
  check: (text: string) => string | null
  /**
   * Rejects when nothing was saved; telling the user is its own business. Answers with the other
   * version where another window was faster.
   */
  save: (text: string) => Promise<{ theirs: string } | null>
}

/**
 * A text that is edited where it stands: saved by Enter or by leaving it, restored by Escape. What was
 * typed stays until it is saved or discarded, whatever happens.
 */
export function useFieldEdit({ value, check, save }: FieldEditOptions) {
  const [edit, setEdit] = useState<Edit | null>(null)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const display = useRef<HTMLButtonElement>(null)
  const focusNext = useRef<'input' | 'display' | null>(null)
  useLeaveQuestion(edit !== null && edit.text.trim() !== value.trim())

  const isOpen = edit !== null
  useEffect(() => {
    const wanted = focusNext.current
    focusNext.current = null
    if (wanted === 'input' && isOpen) {
      input.current?.focus()
      input.current?.select()
    }
    if (wanted === 'display' && !isOpen) display.current?.focus()
  }, [isOpen])

  function start(): void {
    focusNext.current = 'input'
    setEdit({ text: value, from: value, error: null, theirs: null })
  }

  function close(): void {
    if (document.activeElement === input.current || input.current === null) {
      focusNext.current = 'display'
    }
    setEdit(null)
  }

  async function send(text: string): Promise<void> {
    close()
    const reopen = (theirs: string | null, error: string | null) => {
      // Somewhere else the keyboard is left alone.
      const focused = document.activeElement
      if (focused === display.current || focused === document.body) focusNext.current = 'input'
      setEdit((now) => now ?? { text, from: theirs ?? value, error, theirs })
    }
    try {
      const answer = await save(text)
      if (answer) reopen(answer.theirs, null)
    } catch {
      reopen(null, 'This has not been saved.')
    }
  }

  function commit(): void {
    if (!edit) return
    // The browser hides half a date from the page, which would take it for none.
    const isHalf = input.current?.validity.badInput
    const error = isHalf ? 'Type the whole of it, or clear it.' : check(edit.text)
    if (error) setEdit({ ...edit, error })
    else if (edit.text.trim() === value.trim()) close()
    // It changed under the typing.
    else if (value !== edit.from && edit.theirs !== value) setEdit({ ...edit, theirs: value })
    else send(edit.text)
  }

  return {
    edit,
    input,
    display,
    start,
    commit,
    discard: close,
    /** The user has seen the other version. */
    overwrite: () => edit && send(edit.text),
    type: (text: string) => setEdit(edit && { ...edit, text, error: null }),
    leave() {
      // What is to be chosen or mended is not chosen by looking away.
      if (edit && edit.theirs === null && edit.error === null) commit()
    },
  }
}
