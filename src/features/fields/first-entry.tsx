import {
  entriesOf,
  entryNouns,
  entryText,
  type ListKind,
  withFirst,
} from '#domain/fields/entries.ts'
import { checkEntry } from '#domain/fields/entry-checks.ts'
import type { DetailField } from '#lib/use-detail-fields.ts'
import { EditableField } from '#ui/editable-field.tsx'

type FirstEntryProps = {
  kind: Exclude<ListKind, 'addresses'>
  /** What the record holds. */
  entries: unknown
  edited: DetailField
  onTakeTheirs: () => void
}

const types = { emails: 'email', phones: 'tel', links: 'url' } as const

/** The first entry of a list, which is what a cell shows of it. Its label and the other entries stay; cleared, the next is first. */
export function FirstEntry({ kind, entries, edited, onTakeTheirs }: FirstEntryProps) {
  const read = (text: string) => checkEntry(kind).safeParse({ label: '', value: text })

  async function save(text: string): Promise<{ theirs: string } | null> {
    const { data } = read(text)
    const value = data && entryText(data)
    const conflict = await edited.put((stored) => withFirst(entriesOf(stored), value || null))
    return conflict && { theirs: firstText(conflict.theirs) }
  }

  return (
    <EditableField
      label={entryNouns[kind]}
      type={types[kind]}
      value={firstText(entries)}
      check={(text) => read(text).error?.issues[0]?.message ?? null}
      save={save}
      onTakeTheirs={onTakeTheirs}
    />
  )
}

function firstText(entries: unknown): string {
  const [first] = entriesOf(entries)
  return first ? entryText(first) : ''
}
