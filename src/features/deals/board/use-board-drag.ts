import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type BoardPlace, firstDigit, nextPlace, placeWords } from '#domain/board-place.ts'
import { type ClosedOutcome, stageLabel } from '#domain/deal.ts'
import { isPressed } from '#ui/shortcut.ts'
import type { Deal } from '../queries.ts'
import { type BoardColumn, columnKey } from './board-columns.ts'
import { boardShortcuts } from './board-shortcuts.ts'
import { useMoveDeal } from './queries.ts'

/** What a column provides for a drag. */
export type ColumnParts = {
  element: HTMLElement
  /** The index for a point on the screen, among the cards without the held one. */
  indexAt: (y: number) => number
  /** Scrolls to a place between two cards. */
  reveal: (index: number) => void
  /** Focuses a card, once it is rendered. */
  focus: (index: number) => void
}

type Lifted = {
  deal: Deal
  by: 'pointer' | 'keyboard'
  /** The drop place; null outside of the board. */
  place: BoardPlace | null
  /** The drop zone under the pointer. */
  zone: ClosedOutcome | null
}

type Point = { x: number; y: number }

/** A card this many pixels outside of the board still counts as over it. */
const margin = 48

/** Dragging a card by pointer or keyboard: lifting, moving, dropping, cancelling. */
export function useBoardDrag(
  columns: BoardColumn[],
  onClose: (deal: Deal, outcome: ClosedOutcome) => void,
) {
  const move = useMoveDeal()
  const board = useRef<HTMLElement>(null)
  const parts = useRef(new Map<string, ColumnParts>())
  const zones = useRef(new Map<ClosedOutcome, HTMLElement>())
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const [words, setWords] = useState('')
  const point = useRef<Point | null>(null)
  const keepFocus = useKeptFocus(board)
  // A ref keeps the handlers stable during a drag, so that memoised cards do not render again.
  const now = useRef({ columns, lifted, move, onClose })
  useLayoutEffect(() => {
    now.current = { columns, lifted, move, onClose }
  }, [columns, lifted, move, onClose])

  const setHeld = useCallback((held: Lifted | null) => {
    const before = now.current.lifted
    const isSame = before && held && isSamePlace(before.place, held.place)
    if (isSame && before.zone === held.zone) return
    now.current.lifted = held
    setLifted(held)
  }, [])

  const isDragged = lifted?.by === 'pointer'
  useEffect(() => {
    if (!isDragged) return
    // The body is under the pointer during a drag.
    document.body.style.cursor = 'grabbing'
    return () => {
      document.body.style.cursor = ''
    }
  }, [isDragged])

  const register = useCallback((key: string, column: ColumnParts | null) => {
    if (column) parts.current.set(key, column)
    else parts.current.delete(key)
  }, [])

  const registerZone = useCallback((outcome: ClosedOutcome, element: HTMLElement | null) => {
    if (element) zones.current.set(outcome, element)
    else zones.current.delete(outcome)
  }, [])

  const lift = useCallback(
    (id: string, by: Lifted['by']) => {
      const place = placeOf(now.current.columns, id)
      const deal = place && now.current.columns[place.column]?.rows[place.index]
      if (!deal) return
      setHeld({ deal, by, place, zone: null })
      keepFocus(null)
      setWords(`Lifted ${deal.name}. ${inWords(now.current.columns, place, deal)}`)
    },
    [setHeld, keepFocus],
  )

  const cancel = useCallback(() => {
    const held = now.current.lifted
    if (!held) return
    setHeld(null)
    setWords(`${held.deal.name} is back where it was.`)
  }, [setHeld])

  /** Moves a deal to the place, unless it is there already. Answers whether it asks something first. */
  const send = useCallback((deal: Deal, place: BoardPlace): boolean => {
    const { columns: all, move: write, onClose: close } = now.current
    const target = all[place.column]
    if (!target || isSamePlace(placeOf(all, deal.id), place)) return false
    // A loss asks for its reason first; the card stays where it was until that is answered.
    if (target.outcome === 'lost' && deal.outcome !== 'lost') {
      close(deal, 'lost')
      return true
    }
    const others = target.rows.filter(({ id }) => id !== deal.id)
    write({
      deal,
      column: target,
      above: others[place.index - 1]?.id ?? null,
      below: others[place.index]?.id ?? null,
    })
      // The mutation reports a failure and rolls back.
      .catch(() => {})
    return false
  }, [])

  const drop = useCallback(() => {
    const held = now.current.lifted
    if (held?.zone) {
      setHeld(null)
      return now.current.onClose(held.deal, held.zone)
    }
    if (!held?.place) return cancel()
    setHeld(null)
    if (held.by === 'keyboard') keepFocus(held.deal.id)
    const place = inWords(now.current.columns, held.place, held.deal)
    // What a question is about is told when it is answered.
    setWords(send(held.deal, held.place) ? '' : `Dropped ${held.deal.name}. ${place}`)
  }, [setHeld, cancel, send, keepFocus])

  const follow = useCallback(
    (to: Point | null) => {
      if (to) point.current = to
      const { lifted: held, columns: all } = now.current
      if (held?.by !== 'pointer' || !point.current) return
      const zone = zoneAt(zones.current, point.current)
      const place = zone ? null : placeAt(all, parts.current, board.current, point.current)
      setHeld({ ...held, place, zone })
    },
    [setHeld],
  )

  const press = useCallback(
    (event: KeyboardEvent, deal: Deal) => {
      const { lifted: held, columns: all } = now.current
      const isHeld = held?.by === 'keyboard' && held.deal.id === deal.id
      const isDrop = isPressed(event, boardShortcuts.lift)
      if (!isHeld) {
        if (!isDrop) return
        event.preventDefault()
        return lift(deal.id, 'keyboard')
      }
      if (event.key === 'Tab') return
      event.preventDefault()
      event.stopPropagation()
      if (isDrop) return drop()
      if (isPressed(event, boardShortcuts.cancel)) return cancel()
      const counts = all.map(({ rows }) => rows.filter(({ id }) => id !== deal.id).length)
      const place = held.place && nextPlace(held.place, event.key, counts, firstDigit(all))
      const column = place && all[place.column]
      if (!column) return
      setHeld({ ...held, place })
      setWords(inWords(all, place, deal))
      parts.current.get(columnKey(column))?.reveal(place.index)
    },
    [lift, drop, cancel, setHeld],
  )

  /** The card is lifted by its name; its handle has the focus from then on. */
  const pick = useCallback(
    (event: KeyboardEvent, deal: Deal) => {
      if (!isPressed(event, boardShortcuts.pick)) return
      event.preventDefault()
      board.current?.querySelector<HTMLElement>(`[data-handle="${deal.id}"]`)?.focus()
      lift(deal.id, 'keyboard')
    },
    [lift],
  )

  /** The handle lost the focus with a lifted card: cancel. */
  const leave = useCallback(
    (deal: Deal) => {
      const held = now.current.lifted
      if (held?.by === 'keyboard' && held.deal.id === deal.id) cancel()
    },
    [cancel],
  )

  /** Moves a card by the menu. */
  const put = useCallback(
    (deal: Deal, place: BoardPlace) => {
      keepFocus(deal.id)
      send(deal, place)
    },
    [keepFocus, send],
  )
  const targetsOf = useCallback((deal: Deal) => targetsFrom(now.current.columns, deal), [])

  const handlers = useMemo(
    () => ({ register, press, pick, leave, put, targetsOf }),
    [register, press, pick, leave, put, targetsOf],
  )
  return {
    ...{ board, parts, lifted, words, announce: setWords },
    ...{ handlers, registerZone, lift, follow, drop, cancel },
  }
}

export type CardHandlers = ReturnType<typeof useBoardDrag>['handlers']

/** The places in the menu: up, down, and the top of every other column. */
function targetsFrom(columns: BoardColumn[], deal: Deal) {
  const home = placeOf(columns, deal.id)
  const last = home ? (columns[home.column]?.rows.length ?? 1) - 1 : 0
  const around = home
    ? [
        { label: 'Move up', place: { ...home, index: home.index - 1 } },
        { label: 'Move down', place: { ...home, index: home.index + 1 } },
      ].filter(({ place }) => place.index >= 0 && place.index <= last)
    : []
  const stages = columns.flatMap(({ stage_name }, column) => {
    if (column === home?.column) return []
    return [{ label: stageLabel(stage_name), stage_name, place: { column, index: 0 } }]
  })
  return { around, stages }
}

function isSamePlace(one: BoardPlace | null, other: BoardPlace | null): boolean {
  return one?.column === other?.column && one?.index === other?.index
}

function placeOf(columns: BoardColumn[], dealId: string): BoardPlace | null {
  for (const [column, { rows }] of columns.entries()) {
    const index = rows.findIndex(({ id }) => id === dealId)
    if (index >= 0) return { column, index }
  }
  return null
}

function zoneAt(zones: Map<ClosedOutcome, HTMLElement>, { x, y }: Point): ClosedOutcome | null {
  for (const [outcome, element] of zones) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    if (x >= left && x <= right && y >= top && y <= bottom) return outcome
  }
  return null
}

function placeAt(
  columns: BoardColumn[],
  parts: Map<string, ColumnParts>,
  board: HTMLElement | null,
  { x, y }: Point,
): BoardPlace | null {
  const frame = board?.getBoundingClientRect()
  if (!frame || x < frame.left - margin || x > frame.right + margin) return null
  if (y < frame.top - margin || y > frame.bottom + margin) return null
  let nearest: { column: number; distance: number; part: ColumnParts } | null = null
  for (const [column, each] of columns.entries()) {
    const part = parts.get(columnKey(each))
    if (!part) continue
    const { left, right } = part.element.getBoundingClientRect()
    const distance = Math.max(left - x, x - right, 0)
    if (!nearest || distance < nearest.distance) nearest = { column, distance, part }
  }
  return nearest && { column: nearest.column, index: nearest.part.indexAt(y) }
}

function inWords(columns: BoardColumn[], place: BoardPlace, deal: Deal): string {
  const column = columns[place.column]
  if (!column) return ''
  const isOwn = column.rows.some(({ id }) => id === deal.id)
  return placeWords(stageLabel(column.stage_name), place.index, column.count + (isOwn ? 0 : 1))
}

/** Keeps the focus on a card that is moved, also when the move is rolled back. */
function useKeptFocus(board: React.RefObject<HTMLElement | null>) {
  const kept = useRef<string | null>(null)
  useEffect(() => {
    if (kept.current === null || document.activeElement !== document.body) return
    board.current?.querySelector<HTMLElement>(`[data-handle="${kept.current}"]`)?.focus()
  })
  useEffect(() => {
    const forget = () => {
      kept.current = null
    }
    document.addEventListener('pointerdown', forget)
    return () => document.removeEventListener('pointerdown', forget)
  }, [])
  return useCallback((id: string | null) => {
    kept.current = id
  }, [])
}
