import { type ReactNode, useState } from 'react'
import { newId } from '#lib/new-id.ts'
import { RecordSelect } from '#ui/record-select.tsx'
import type { UseChoices } from '#ui/use-typed-choice.ts'

type Named = { id: string; name: string }

/** What the field of each kind of record takes. */
export type LinkSelectProps = {
  label?: string
  placeholder?: string
  chosen: Named | null
  onChoose: (record: Named | null) => void
  /** Further choices, such as none. */
  fixed?: { id: string; label: string }[]
  error?: string | undefined
  isInPopover?: boolean
  /** Whether it has the keyboard when its dialog opens. */
  isFirst?: boolean
  isFilter?: boolean
}

/** The same of kinds that can be created on the way. */
export type CreatingSelectProps = LinkSelectProps & {
  canCreate?: boolean
  /** Called when the form of a new record opens over this field, and when it closes. */
  onCovered?: (isCovered: boolean) => void
}

type Props = CreatingSelectProps & {
  label: string
  placeholder: string
  name: string
  useChoices: UseChoices
  /** Limits the choices to those of this record. */
  within?: string | undefined
  creation?: {
    /** 'Create company'. */
    label: string
    /** Creates one under this id; null where what was typed is not enough, and the form shows what is wrong. */
    make: (typed: string, id: string) => Promise<Named> | null
    form: (typed: string, onClose: () => void) => ReactNode
  }
}

/** A field that links to a record: chosen by search, or created on the way. */
export function LinkSelect({
  chosen,
  onChoose,
  onCovered,
  canCreate = false,
  creation,
  isInPopover = false,
  isFirst = false,
  ...field
}: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  // One id for all tries, so that a lost answer never creates two records.
  const [id, setId] = useState(newId)
  function cover(next: string | null): void {
    setTyped(next)
    onCovered?.(next !== null)
  }
  async function make(name: string): Promise<{ id: string; label: string } | null> {
    const making = creation?.make(name, id)
    if (!making) cover(name)
    // The mutation reports a failure and rolls back.
    const made = await making?.catch(() => null)
    if (!made) return null
    setId(newId())
    return { id: made.id, label: made.name }
  }
  return (
    <>
      <RecordSelect
        {...field}
        chosen={chosen && { id: chosen.id, label: chosen.name }}
        onChoose={(choice) => onChoose(choice && { id: choice.id, name: choice.label })}
        {...(canCreate && creation
          ? { creation: { label: creation.label, open: cover, make } }
          : {})}
        {...(isFirst ? { 'data-autofocus': true } : {})}
        {...(isInPopover ? { comboboxProps: { withinPortal: false, shadow: 'md' } } : {})}
      />
      {typed !== null && creation?.form(typed, () => cover(null))}
    </>
  )
}
