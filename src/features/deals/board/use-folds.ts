import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import { z } from 'zod/mini'
import { foldedColumns } from '#domain/board-folds.ts'
import { browserStorage } from '#lib/browser-storage.ts'
import { type BoardColumn, columnKey } from './board-columns.ts'

const storageKey = 'solo-board-folds'
/** Folded or not by column; a column without an entry follows the width of the board. */
const choicesSchema = z.record(z.string(), z.boolean())
type Choices = z.output<typeof choicesSchema>

const padding = 48

/** Which columns are folded. This browser remembers the user's choices. */
export function useFolds(columns: BoardColumn[], boardWidth: number) {
  const [choices, setChoices] = useState(readChoices)
  // A phone shows one column at a time: nothing is gained by folding.
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const folded = useMemo(() => {
    if (isNarrow) return new Set<string>()
    const all = columns.map((column) => ({ key: columnKey(column), outcome: column.outcome }))
    return foldedColumns(all, choices, boardWidth - padding)
  }, [columns, choices, boardWidth, isNarrow])
  const fold = useCallback((key: string, isFolded: boolean) => {
    setChoices((before) => {
      const after = { ...before, [key]: isFolded }
      browserStorage().setItem(storageKey, JSON.stringify(after))
      return after
    })
  }, [])
  return { folded, fold, isNarrow }
}

function readChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(browserStorage().getItem(storageKey) ?? '{}')
    return choicesSchema.parse(stored)
  } catch {
    return {}
  }
}
