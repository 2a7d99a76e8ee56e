import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { hasDialog } from './has-dialog.ts'
import { listShortcuts, type RowKeys } from './list-shortcuts.ts'
import { placeOf } from './place-of.ts'
import { isPressed, isTyping } from './shortcut.ts'
import { useStaleClickGuard } from './stale-clicks.ts'

type ListKeysOptions<Row> = {
  /** The element around the rows. */
  element: RefObject<HTMLElement | null>
  rows: Row[]
  /** The number of columns of a grid. */
  columns?: number
  keys: RowKeys<Row>
}

/** The active row of each list by its history entry, for Back. */
const leftAt = new Map<string, string>()

/**
 * The keys of a list. The active row is the last one that had the focus. It stays rendered, and only its controls are
 * in the tab order, because an endless list would trap Tab.
 */
export function useListKeys<Row extends { id: string }>(options: ListKeysOptions<Row>) {
  const { element, rows, columns = 1, keys } = options
  useStaleClickGuard(element, rows)
  const place = placeOf(useLocation())
  const [activeId, setActiveId] = useState(() => leftAt.get(place) ?? null)
  // The row to focus as soon as it is rendered.
  const wanted = useRef(activeId)
  const isBack = useRef(activeId !== null)
  const lastIndex = useRef(-1)
  const index = rows.findIndex(({ id }) => id === activeId)

  function focus(id: string): boolean {
    const row = element.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)
    const link = row?.querySelector<HTMLElement>('[data-row-link]')
    if (!row || !link) return false
    link.focus({ preventScroll: true })
    // After Back the scroll position is restored, so do not scroll to the row.
    if (!isBack.current) row.scrollIntoView({ block: 'nearest' })
    isBack.current = false
    return true
  }
  function go(to: number): void {
    const id = rows[Math.max(0, Math.min(to, rows.length - 1))]?.id
    if (id === undefined || focus(id)) return
    wanted.current = id
    setActiveId(id)
  }
  function enter(): void {
    const shown = element.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    const first = [...shown].find((row) => isInView(row))
    go(rows.findIndex(({ id }) => id === first?.dataset.row))
  }
  function move(event: KeyboardEvent, from: number): boolean {
    const step = stepOf(event, columns)
    if (step === 0) return false
    const isLastLine = Math.floor(from / columns) === Math.floor((rows.length - 1) / columns)
    if (from < 0) enter()
    // The last line of a grid may be shorter than the line above it.
    else if (rows[from + step] || (step > 0 && !isLastLine)) go(from + step)
    return true
  }
  function extend(event: KeyboardEvent, row: Row, from: number): boolean {
    const { onSelect, isSelected } = keys
    const to = from + (event.key === 'ArrowUp' ? -columns : columns)
    const next = rows[to]
    if (!onSelect || !isSelected || !next) return false
    // Moving back unselects what was selected on the way.
    if (isSelected(row) === isSelected(next)) onSelect(row)
    if (!isSelected(next)) onSelect(next)
    go(to)
    return true
  }
  function act(event: KeyboardEvent, row: Row, from: number): boolean {
    const is = (name: keyof typeof listShortcuts) => isPressed(event, listShortcuts[name])
    if (is('first')) go(0)
    else if (is('last')) go(rows.length - 1)
    else if (is('extend')) return extend(event, row, from)
    else if (is('select') && !isPressedAnyway(event)) return did(keys.onSelect, row)
    else if (is('selectAll')) return did(keys.onSelectLoaded, row)
    else if (is('edit')) return did(keys.onEdit, row)
    // Holding the key down must not act on the row that moves up.
    else if (event.repeat && (is('tick') || is('remove'))) return true
    else if (is('tick')) return did(keys.onTick, row)
    else if (is('remove') && keys.isSelected?.(row)) pressRemovesSelection()
    else if (is('remove')) return did(keys.onRemove, row)
    else return false
    return true
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.defaultPrevented || isTyping(target) || hasDialog()) return
    if (!(target instanceof Element) || rows.length === 0) return
    const isWithin = element.current?.contains(target) ?? false
    // Outside of the list, arrows belong to the page or another control, unless nothing has the focus.
    if (!isWithin && event.key.startsWith('Arrow') && !target.matches('body, main')) return
    const id = isWithin ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined
    const from = id === undefined ? index : rows.findIndex((row) => row.id === id)
    const row = id === undefined ? undefined : rows[from]
    if (move(event, from) || (row && act(event, row, from))) event.preventDefault()
  })
  const note = useEffectEvent((event: FocusEvent) => {
    const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-row]')
    if (row) setActiveId(row.dataset.row ?? null)
  })
  useEffect(() => {
    const list = element.current
    const listen = (event: KeyboardEvent) => press(event)
    const follow = (event: FocusEvent) => note(event)
    document.addEventListener('keydown', listen)
    list?.addEventListener('focusin', follow)
    return () => {
      document.removeEventListener('keydown', listen)
      list?.removeEventListener('focusin', follow)
    }
  }, [element])

  useEffect(() => {
    if (activeId === null) leftAt.delete(place)
    else leftAt.set(place, activeId)
  }, [place, activeId])

  // On every render, because rows come and go.
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement.matches('body, main')
    if (activeId !== null && index < 0 && lastIndex.current >= 0) {
      // The focused row was removed, such as by its own key: focus the next one.
      const next = isLost ? rows[Math.min(lastIndex.current, rows.length - 1)] : undefined
      wanted.current = next?.id ?? null
      setActiveId(wanted.current)
    }
    lastIndex.current = index
    // Do not take the focus from a user who has gone elsewhere before the rows were loaded.
    if (isBack.current && !isLost) wanted.current = null
    if (wanted.current !== null && focus(wanted.current)) wanted.current = null
    if (element.current) keepOneInTabOrder(element.current, index < 0 ? null : activeId)
  })

  return {
    activeIndex: index < 0 ? null : index,
    /** For the element of a row. */
    rowProps: (id: string) => ({ 'data-row': id, 'data-active': id === activeId || undefined }),
  }
}

function stepOf(event: KeyboardEvent, columns: number): number {
  if (isPressed(event, listShortcuts.next)) return columns
  if (isPressed(event, listShortcuts.previous)) return -columns
  if (columns === 1) return 0
  if (isPressed(event, listShortcuts.right)) return 1
  return isPressed(event, listShortcuts.left) ? -1 : 0
}

function did<Row>(action: ((row: Row) => void) | undefined, row: Row): boolean {
  action?.(row)
  return action !== undefined
}

/** Whether the key has a meaning of its own on the target: Space on buttons and checkboxes. */
function isPressedAnyway(event: KeyboardEvent): boolean {
  return event.key === ' ' && !(event.target instanceof HTMLAnchorElement)
}

function pressRemovesSelection(): void {
  document.querySelector<HTMLElement>('[data-removes-selection]')?.click()
}

/** Whether the whole row can be seen. */
export function isInView(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect()
  const frame = row.closest('[data-list-frame]')?.getBoundingClientRect()
  return top >= (frame?.top ?? 0) && bottom <= window.innerHeight
}

/** Removes all rows but the active one from the tab order; without an active row, none. */
function keepOneInTabOrder(list: HTMLElement, activeId: string | null): void {
  for (const row of list.querySelectorAll<HTMLElement>('[data-row]')) {
    const isReached = activeId === null || row.dataset.row === activeId
    if (isReached) {
      for (const control of row.querySelectorAll<HTMLElement>('[data-passed-over]')) {
        control.removeAttribute('tabindex')
        delete control.dataset.passedOver
      }
    } else {
      for (const control of row.querySelectorAll<HTMLElement>(
        ':is(a, button, input):not([tabindex])',
      )) {
        control.tabIndex = -1
        control.dataset.passedOver = ''
      }
    }
  }
}
