import { useMemo, useState } from 'react'
import {
  type Choice,
  lostLines,
  mergeChanges,
  presetChoice,
  recordToKeep,
  withLost,
} from '#domain/merge.ts'
import { mergeFieldsOf } from '#domain/merge-fields.ts'
import { useAllOwnFields } from '#features/own-fields/index.ts'
import type { Json } from '#lib/database.types.ts'
import { type Kind, kindOf, type MergeRecord } from './kinds.ts'

/**
 * The choices of a merge: those of the user, and presets for the rest. They survive a refetch of the records.
 */
export function useMergeChoice(kind: Kind, records: MergeRecord[]) {
  // A hidden field has values too, and one of them would be lost without a word.
  const own = useAllOwnFields(kind)
  const fields = useMemo(() => [...kindOf[kind].fields, ...mergeFieldsOf(own)], [kind, own])
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const [keepPicked, setKeepPicked] = useState<string | null>(null)
  const [picked, setPicked] = useState<Choice>({})
  const [keepsLost, setKeepsLost] = useState(true)

  const rows = useMemo(() => records.filter(({ id }) => !leftOut.has(id)), [records, leftOut])
  const isIn = (id: string | null | undefined) => rows.some((row) => row.id === id)
  const keep = isIn(keepPicked) ? String(keepPicked) : recordToKeep(rows)
  const choice: Choice = { ...presetChoice(fields, rows, keep) }
  for (const [name, id] of Object.entries(picked)) if (isIn(id)) choice[name] = id
  const lost = lostLines(fields, rows, choice)

  const changes = mergeChanges(fields, rows, keep, choice) as Record<string, Json> // values of rows
  const kept = rows.find(({ id }) => id === keep)

  /** The arguments for the database. */
  function merged() {
    if (!keepsLost || lost.length === 0) return { keep, records: rows, changes, note: null }
    if (kind === 'companies') {
      return { keep, records: rows, changes, note: withLost(null, lost) }
    }
    const from = rows.find(({ id }) => id === choice.notes)
    const notes = withLost(from && 'notes' in from ? from.notes : null, lost)
    return { keep, records: rows, changes: { ...changes, notes }, note: null }
  }

  return {
    fields,
    rows,
    keep,
    choice,
    /** What the kept record will be. */
    result: kept && { ...kept, ...changes },
    lost,
    keepsLost,
    merged,
    isDirty:
      leftOut.size > 0 || keepPicked !== null || Object.keys(picked).length > 0 || !keepsLost,
    chooseKeep: setKeepPicked,
    choose: (name: string, id: string) => setPicked((now) => ({ ...now, [name]: id })),
    setKeepsLost,
    isLeftOut: (id: string) => leftOut.has(id),
    leaveOut: (id: string, isOut: boolean) =>
      setLeftOut((now) => {
        const next = new Set(now)
        if (isOut) next.add(id)
        else next.delete(id)
        return next
      }),
  }
}

export type MergeChoice = ReturnType<typeof useMergeChoice>
