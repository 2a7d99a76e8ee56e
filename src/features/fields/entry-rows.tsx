import { type ReactNode, useState } from 'react'
import { phoneLink } from '#domain/contact.ts'
import {
  type AnyEntry,
  blankEntry,
  entriesOf,
  entryKey,
  entryNouns,
  entryText,
  firstOf,
  isPostal,
  type ListKind,
  labelShown,
  mapLink,
} from '#domain/fields/entries.ts'
import { type Fields, labelOf, valueAt } from '#domain/fields/field.ts'
import { mailtoLink } from '#domain/mailto.ts'
import { safeLink, shownWebsite } from '#domain/web-address.ts'
import type { DetailField } from '#lib/use-detail-fields.ts'
import { FieldValue } from '#ui/editable-field.tsx'
import { FieldRow } from '#ui/field-row.tsx'
import { EntryEditor } from './entry-editor.tsx'
import { nameOf } from './name-of.ts'
import { useEditedFocus } from './use-edited-focus.ts'

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

/** The entries of a list, each edited where it stands. Where the first is a field of its own, its row is always there. */
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
  const first = firstOf(fields, list)
  const firstLabel = first && fields[first] ? labelOf(fields[first], 'form') : undefined
  const entries = storedIn(record, list, first)
  // Its row is there before anything is in it.
  const shown = first && entries.length === 0 && !isAdding ? [blankEntry(kind)] : entries
  const nounAt = (place: number) => (place === 0 && firstLabel) || entryNouns[kind]
  const nameAt = (place: number) => (place === 0 && firstLabel) || `${nounAt(place)} ${place + 1}`
  const [open, setOpen] = useState<Open | null>(null)
  const { buttons, focusOn } = useEditedFocus(open && entryKey(open.entry))

  /** Changes the list as it is stored now, which may differ from the screen. False when it was not saved. */
  async function put(change: (stored: AnyEntry[]) => AnyEntry[]): Promise<boolean> {
    const conflict = await edited.put((stored) => change(entriesOf(stored)))
    if (conflict) onTakeTheirs()
    return conflict === null
  }

  /** One entry is changed, removed or added. */
  const save = (before: AnyEntry | null, after: AnyEntry[]) =>
    put((stored) => {
      const place = before ? stored.findIndex((each) => isSame(each, before)) : -1
      return place < 0 ? [...stored, ...after] : stored.toSpliced(place, 1, ...after)
    })

  const editor = open && (
    <FieldRow key="editor" label={withLabel(nounAt(open.place), open.entry)}>
      <EntryEditor
        kind={kind}
        name={nameAt(open.place)}
        entry={open.entry}
        others={entries.filter((each) => !isSame(each, open.entry))}
        owner={nameOf(record)}
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
  const rows = shown.map((entry, place) => {
    const key = entryKey(entry)
    return (
      <FieldRow key={key} label={withLabel(nounAt(place), entry)}>
        <FieldValue
          label={nameAt(place)}
          value={entryText(entry)}
          shown={kind === 'links' ? shownWebsite(entryText(entry)) : entryText(entry)}
          href={hrefOf(kind, entry)}
          onEdit={() => setOpen({ entry, place, count: shown.length })}
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
      {open ? withEditor(rows, shown, open, editor) : rows}
      {isAdding && (
        <FieldRow label={nounAt(entries.length)}>
          <EntryEditor
            kind={kind}
            name={nameAt(entries.length)}
            entry={blankEntry(kind)}
            others={entries}
            owner={nameOf(record)}
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

/** 'Email (Home)'. */
function withLabel(noun: string, { label }: AnyEntry): string {
  return label ? `${noun} (${labelShown(label)})` : noun
}

function storedIn(record: object, list: string, first: string | undefined): AnyEntry[] {
  const entries = entriesOf(valueAt(record, list))
  const value = first ? valueAt(record, first) : null
  // An optimistic update may have the first value, but not yet the list.
  return entries.length === 0 && typeof value === 'string' && value !== ''
    ? [{ label: '', value }]
    : entries
}

function hrefOf(kind: ListKind, entry: AnyEntry): string | null {
  if (isPostal(entry)) return mapLink(entry)
  if (kind === 'emails') return mailtoLink({ to: entry.value, subject: '', body: '' })
  return kind === 'phones' ? phoneLink(entry.value) : safeLink(entry.value)
}
