import { Button } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { fieldErrors } from '#domain/field-errors.ts'
import {
  type AnyEntry,
  entryKey,
  entryNouns,
  entryWords,
  isBlankEntry,
  type ListKind,
} from '#domain/fields/entries.ts'
import { checkEntry } from '#domain/fields/entry-checks.ts'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import classes from './entry-fields.module.css'
import { EntryFields } from './entry-fields.tsx'

type EntryEditorProps = {
  kind: ListKind
  /** 'Email 2'. */
  name: string
  entry: AnyEntry
  others: AnyEntry[]
  /** The name of the record. */
  owner: string
  /** False when another window has changed the list; the next try is over its version. */
  save: (entries: AnyEntry[]) => Promise<boolean>
  makeFirst?: () => Promise<boolean>
  onClose: () => void
}

/** Enter or leaving saves, Escape restores; what was typed stays until it is saved or given up. */
export function EntryEditor({
  kind,
  name,
  entry,
  others,
  owner,
  save,
  makeFirst,
  onClose,
}: EntryEditorProps) {
  const [draft, setDraft] = useState(entry)
  const [more, setMore] = useState<AnyEntry[]>([])
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isSaving, setIsSaving] = useState(false)
  const isThere = !isBlankEntry(entry)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(entry) || more.length > 0
  useLeaveQuestion(isDirty)

  async function send(write: () => Promise<boolean>): Promise<void> {
    if (isSaving) return
    setIsSaving(true)
    try {
      if (await write()) onClose()
      else setErrors({ '': 'Changed in another window. Review it, then save again.' })
    } catch {
      setErrors({ '': 'Not saved.' })
    } finally {
      setIsSaving(false)
    }
  }

  function commit(): void {
    if (!isDirty) {
      onClose()
      return
    }
    const all = [draft, ...more]
    const wrong = Object.assign({}, ...all.map((each) => fieldErrors(checkEntry(kind), each)))
    const stored = all.map((each) => checkEntry(kind).safeParse(each).data ?? each)
    const keys = others.map(entryKey)
    if (stored.some((each) => !isBlankEntry(each) && keys.includes(entryKey(each)))) {
      wrong[kind === 'addresses' ? 'street' : 'value'] ??= 'Already added.'
    }
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    // What was cleared is removed.
    const kept = stored.filter((each) => !isBlankEntry(each))
    if (kept.length === 0 && !isThere) onClose()
    else send(() => save(kept))
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    commit()
  }

  function leave(event: FocusEvent<HTMLFieldSetElement>): void {
    const isInside = event.currentTarget.contains(event.relatedTarget)
    // What is wrong is shown until it is put right or given up.
    if (!isInside && Object.keys(errors).length === 0 && !isSaving) commit()
  }

  return (
    <fieldset
      className={classes.editor}
      aria-label={`${isThere ? 'Edit' : 'Add'} ${entryNouns[kind].toLowerCase()}`}
      onKeyDown={press}
      onBlur={leave}
    >
      <EntryFields
        kind={kind}
        called={name}
        entry={draft}
        errorOf={(part) => errors[part]}
        onChange={(changed) => {
          setDraft(changed)
          setErrors({})
        }}
        owner={owner}
        onPasteMany={([first, ...rest]) => {
          if (first) setDraft({ label: draft.label || first.label, value: first.value })
          setMore(rest)
          setErrors({})
        }}
        isNew
        isNarrow
        isFixed={isSaving}
      />
      {more.length > 0 && <span>{`And ${more.map(entryWords).join(', ')}`}</span>}
      {errors[''] && (
        <span role="alert" className={classes.problem}>
          {errors['']}
        </span>
      )}
      <div className={classes.buttons}>
        <Button size="compact-sm" px={6} loading={isSaving} onClick={commit}>
          Save
        </Button>
        <Button size="compact-sm" px={6} variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        {makeFirst && (
          <Button
            size="compact-sm"
            px={6}
            variant="subtle"
            color="gray"
            onClick={() => send(makeFirst)}
          >
            Make first
          </Button>
        )}
        {isThere && (
          <Button
            size="compact-sm"
            px={6}
            variant="subtle"
            color="gray"
            onClick={() => send(() => save([]))}
          >
            Remove
          </Button>
        )}
      </div>
    </fieldset>
  )
}
