import { type RefObject, useEffect, useEffectEvent } from 'react'
import { nextCard } from '#domain/board-place.ts'
import { hasDialog } from '#ui/has-dialog.ts'
import { isPressed, isTyping } from '#ui/shortcut.ts'
import { type BoardColumn, columnKey } from './board-columns.ts'
import { boardShortcuts } from './board-shortcuts.ts'
import type { ColumnParts } from './use-board-drag.ts'

type BoardKeysOptions = {
  board: RefObject<HTMLElement | null>
  columns: BoardColumn[]
  folded: Set<string>
  parts: RefObject<Map<string, ColumnParts>>
}

/** Arrow keys, Home and End go from card to card; the first arrow goes to the first card. */
export function useBoardKeys({ board, columns, folded, parts }: BoardKeysOptions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.defaultPrevented || isTyping(target) || hasDialog()) return
    if (!isPressed(event, boardShortcuts.go) || !(target instanceof Element)) return
    const counts = columns.map((column) => (folded.has(columnKey(column)) ? 0 : column.rows.length))
    const id = target.closest<HTMLElement>('[data-card]')?.dataset.card
    const from = id === undefined ? null : placeOf(columns, id)
    // Outside of the board, arrows belong to the page or another control, unless nothing has the focus.
    if (!from && !(board.current?.contains(target) || target.matches('body, main'))) return
    if (!from && !event.key.startsWith('Arrow')) return
    const first = { column: counts.findIndex((count) => count > 0), index: 0 }
    const to = from ? nextCard(from, event.key, counts) : first
    const column = to && columns[to.column]
    event.preventDefault()
    if (column) parts.current.get(columnKey(column))?.focus(to.index)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function placeOf(columns: BoardColumn[], id: string) {
  for (const [column, { rows }] of columns.entries()) {
    const index = rows.findIndex((row) => row.id === id)
    if (index >= 0) return { column, index }
  }
  return null
}
