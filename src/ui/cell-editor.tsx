import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { CellEditingContext } from './cell-editing.ts'
import classes from './cell-editor.module.css'
import { hasDialog } from './has-dialog.ts'
import { isInView } from './list-keys.ts'
import { isTyping } from './shortcut.ts'

/** For the button that begins to edit a cell: F2 in its row presses it. */
export const cellPencil = { 'data-cell-pencil': '' }

const pencils = '[data-cell-pencil]'
const fields = '[data-cell-editor] :is(input, textarea)'
const choices = '[data-cell-editor] [role^="menuitem"]'

/** The cell that is edited: of which row, which field, and the button that began it. */
type EditedCell = { key: number; id: string; name: string; pencil: HTMLElement }

/** The cells of a table that are edited, or whose write is under way. */
export function useEditedCells() {
  const [cells, setCells] = useState<EditedCell[]>([])
  const begin = useCallback((row: { id: string }, name: string, pencil: HTMLElement) => {
    const open = pencil.closest('td')?.querySelector<HTMLElement>(fields)
    if (open) return open.focus()
    // A write of the same cell that is still under way goes on without its field.
    setCells((now) => [
      ...now.filter((each) => each.pencil !== pencil),
      { key: newKey(), id: row.id, name, pencil },
    ])
  }, [])
  const end = useCallback(
    (ended: EditedCell) => setCells((now) => now.filter((each) => each !== ended)),
    [],
  )
  return { cells, begin, end }
}

let lastKey = 0

function newKey(): number {
  lastKey += 1
  return lastKey
}

type CellEditorProps = {
  cell: EditedCell
  onEnd: (cell: EditedCell) => void
  children: ReactNode
}

/** A field that is edited in place, over its cell. */
export function CellEditor({ cell, onEnd, children }: CellEditorProps) {
  const { pencil } = cell
  const editor = useRef<HTMLDivElement>(null)
  const place = pencil.closest('td')
  const editing = useMemo(
    () => ({
      home: () => pencil,
      onSettled() {
        const focused = document.activeElement
        // The cell may be edited again already: that field keeps the focus.
        if (focused === document.body || editor.current?.contains(focused)) pencil.focus()
        onEnd(cell)
      },
    }),
    [cell, pencil, onEnd],
  )
  if (!place) return null
  return createPortal(
    <div ref={editor} className={classes.editor} data-cell-editor>
      <CellEditingContext value={editing}>{children}</CellEditingContext>
    </div>,
    place,
  )
}

/**
 * F2 edits the cell that has the focus, otherwise the first of the row that can be edited; while the focus is elsewhere on
 * the page, such as in the sidebar, that of the row which had it last. Tab in such a field goes on to the next one;
 * leaving it saves it, and of a menu takes what has the focus.
 */
export function useEditKeys(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      const isEditor = target?.matches(fields) ?? false
      const choice = event.key === 'Tab' ? target?.closest<HTMLElement>(choices) : null
      const isTab = event.key === 'Tab' && (isEditor || Boolean(choice))
      if (event.defaultPrevented || (!isTab && (event.key !== 'F2' || isEditor))) return
      const isWithin = target !== null && table.current?.contains(target) === true
      if (!isWithin && (isTab || isTyping(target) || hasDialog())) return
      const row = (isWithin ? target.closest('tr') : null) ?? rowToEdit(table.current)
      const all = [...(row?.querySelectorAll<HTMLElement>(pencils) ?? [])]
      const here = all.findIndex((each) => isWithin && each.closest('td') === target.closest('td'))
      const next = isTab ? all[here + (event.shiftKey ? -1 : 1)] : all[Math.max(0, here)]
      const focused = next ?? all[here]
      if (!focused) return
      event.preventDefault()
      choice?.click()
      focused.focus()
      next?.click()
    }
    // On the document: a press in the sidebar takes the focus out of the table.
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [table])
}

/** The row that had the focus last, otherwise the first one that can be seen. */
function rowToEdit(table: HTMLElement | null): Element | null {
  const rows = [...(table?.querySelectorAll<HTMLElement>(`tr:has(${pencils})`) ?? [])]
  return rows.find((row) => row.matches('[data-active]')) ?? rows.find(isInView) ?? null
}
