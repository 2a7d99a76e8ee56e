import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { phoneLink } from '#domain/contact.ts'
import { fieldErrors } from '#domain/field-errors.ts'
import {
  type AnyEntry,
  blankEntry,
  entriesOf,
  entryKey,
  entryNouns,
  entryText,
  firstOf,
  isBlankEntry,
  isPostal,
  type ListKind,
  labelShown,
  listsOf,
  mapLink,
  mostEntries,
} from '#domain/fields/entries.ts'
import { checkEntry } from '#domain/fields/entry-checks.ts'
import { type Fields, valueAt } from '#domain/fields/field.ts'
import { mailtoLink } from '#domain/mail-merge.ts'
import { safeLink, shownWebsite } from '#domain/web-address.ts'
import type { DetailField } from '#lib/use-detail-fields.ts'
import { FieldValue } from '#ui/editable-field.tsx'
import { FieldRow } from '#ui/field-row.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import classes from './entry-fields.module.css'
import { EntryFields } from './entry-fields.tsx'

type EntryRowsProps = {
  fields: Fields
  list: string
  kind: ListKind
  record: object
  edited: DetailField
  /** Whether one is being added. */
  isAdding: boolean
  onAdded: () => void
  onTakeTheirs: () => void
}

/** The entries of a list, each edited where it stands. The first is left out where a field of its own shows it. */
export function EntryRows({
  fields,
  list,
  kind,
  record,
  edited,
  isAdding,
  onAdded,
  onTakeTheirs,
}: EntryRowsProps) {
  const entries = entriesOf(valueAt(record, list))
  const hasFirst = firstOf(fields, list) !== undefined
  const [open, setOpen] = useState<Open | null>(null)
  const { buttons, focusOn } = useFocusBack(open && entryKey(open.entry))

  /** Writes the list as it is by now. False when it was not saved. */
  async function put(change: (stored: AnyEntry[]) => AnyEntry[]): Promise<boolean> {
    const isSaved = await edited.put((stored) => change(entriesOf(stored)))
    if (!isSaved) onTakeTheirs()
    return isSaved
  }

  /** One entry is changed, removed or added. */
  const save = (before: AnyEntry | null, after: AnyEntry[]) =>
    put((stored) => {
      const place = before ? stored.findIndex((each) => isSame(each, before)) : -1
      return place < 0 ? [...stored, ...after] : stored.toSpliced(place, 1, ...after)
    })

  const editor = open && (
    <FieldRow key="editor" label={rowLabel(kind, open.entry)}>
      <EntryEditor
        kind={kind}
        number={open.place + 1}
        entry={open.entry}
        others={entries.filter((each) => !isSame(each, open.entry))}
        save={(after) => {
          const [changed] = after
          if (changed) focusOn(entryKey(changed))
          return save(open.entry, after)
        }}
        onClose={() => setOpen(null)}
        {...(open.place > 0
          ? {
              makeFirst: () =>
                put((stored) => [
                  open.entry,
                  ...stored.filter((each) => !isSame(each, open.entry)),
                ]),
            }
          : {})}
      />
    </FieldRow>
  )
  const rows = entries.map((entry, place) => {
    if (hasFirst && place === 0) return null
    const key = entryKey(entry)
    return (
      <FieldRow key={key} label={rowLabel(kind, entry)}>
        <FieldValue
          label={`${entryNouns[kind]} ${place + 1}`}
          value={entryText(entry)}
          shown={kind === 'links' ? shownWebsite(entryText(entry)) : entryText(entry)}
          href={hrefOf(kind, entry)}
          onEdit={() => setOpen({ entry, place, count: entries.length })}
          editRef={(button) => {
            buttons.current.set(key, button)
          }}
          canCopy
        />
      </FieldRow>
    )
  })
  return (
    <>
      {open ? withEditor(rows, entries, open, editor) : rows}
      {isAdding && (
        <FieldRow label={entryNouns[kind]}>
          <EntryEditor
            kind={kind}
            number={entries.length + 1}
            entry={blankEntry(kind)}
            others={entries}
            save={(after) => save(null, after)}
            onClose={onAdded}
          />
        </FieldRow>
      )}
    </>
  )
}

/** The entry that is edited, and where it stood. */
type Open = { entry: AnyEntry; place: number; count: number }

/** While an entry is saved, the list shows it changed or removed already; what was typed stays until that is sure. */
function withEditor(rows: ReactNode[], entries: AnyEntry[], open: Open, editor: ReactNode) {
  const found = entries.findIndex((each) => isSame(each, open.entry))
  const place = found < 0 ? Math.min(open.place, rows.length) : found
  return rows.toSpliced(place, found < 0 && entries.length < open.count ? 0 : 1, editor)
}

function isSame(one: AnyEntry, other: AnyEntry): boolean {
  return entryKey(one) === entryKey(other)
}

/** What was edited has the focus again, unless the user has moved it. */
function useFocusBack(open: string | null) {
  const buttons = useRef(new Map<string, HTMLButtonElement | null>())
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (open !== null) wanted.current = open
    else if (wanted.current !== null) {
      const button = buttons.current.get(wanted.current)
      if (document.activeElement === document.body) button?.focus()
      wanted.current = null
    }
  }, [open])
  return {
    buttons,
    focusOn(key: string) {
      wanted.current = key
    },
  }
}

/** 'Email (Home)'. */
function rowLabel(kind: ListKind, { label }: AnyEntry): string {
  return label ? `${entryNouns[kind]} (${labelShown(label)})` : entryNouns[kind]
}

function hrefOf(kind: ListKind, entry: AnyEntry): string | null {
  if (isPostal(entry)) return mapLink(entry)
  if (kind === 'emails') return mailtoLink({ to: entry.value, subject: '', body: '' })
  return kind === 'phones' ? phoneLink(entry.value) : safeLink(entry.value)
}

type EntryEditorProps = {
  kind: ListKind
  number: number
  entry: AnyEntry
  others: AnyEntry[]
  /** False when another window has changed the list; the next try is over its version. */
  save: (entries: AnyEntry[]) => Promise<boolean>
  makeFirst?: () => Promise<boolean>
  onClose: () => void
}

/** Enter or leaving saves, Escape restores; what was typed stays until it is saved or given up. */
function EntryEditor({ kind, number, entry, others, save, makeFirst, onClose }: EntryEditorProps) {
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
      else setErrors({ '': 'Changed in another window. Look at it again, then save once more.' })
    } catch {
      setErrors({ '': 'This has not been saved.' })
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
      wrong[kind === 'addresses' ? 'street' : 'value'] ??= 'This is there already.'
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
        number={number}
        entry={draft}
        errorOf={(part) => errors[part]}
        onChange={(changed) => {
          setDraft(changed)
          setErrors({})
        }}
        onPasteMany={([first = '', ...rest]) => {
          setDraft({ label: draft.label, value: first })
          setMore(rest.map((value) => ({ label: '', value })))
          setErrors({})
        }}
        isNew
        isNarrow
      />
      {more.length > 0 && <span>{`And ${more.map(entryText).join(', ')}`}</span>}
      {errors[''] && (
        <span role="alert" className={classes.problem}>
          {errors['']}
        </span>
      )}
      <div className={classes.buttons}>
        <Button size="compact-sm" loading={isSaving} onClick={commit}>
          Save
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        {makeFirst && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => send(makeFirst)}>
            Make first
          </Button>
        )}
        {isThere && (
          <Button
            size="compact-sm"
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

type AddEntryButtonsProps = {
  fields: Fields
  record: object
  /** The list to which one is being added. */
  adding: string | null
  onAdd: (list: string) => void
}

/** 'Add email', 'Add phone' and so on, below the details. */
export function AddEntryButtons({ fields, record, adding, onAdd }: AddEntryButtonsProps) {
  const { buttons } = useFocusBack(adding)
  return (
    <div className={classes.buttons}>
      {listsOf(fields).map(([list, { kind }]) => (
        <Button
          key={list}
          ref={(button) => {
            buttons.current.set(list, button)
          }}
          variant="subtle"
          color="gray"
          px={8}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          disabled={entriesOf(valueAt(record, list)).length >= mostEntries}
          onClick={() => onAdd(list)}
        >
          {`Add ${entryNouns[kind].toLowerCase()}`}
        </Button>
      ))}
    </div>
  )
}
