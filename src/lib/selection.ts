import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** Rows that were ticked, or everything that matches but for those unticked. */
export type Selection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> }

export const nothing: Selection = { kind: 'some', ids: new Set() }

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id)
}

/** How many are selected, of all that match. */
export function selectedCount(selection: Selection, total: number): number {
  if (selection.kind === 'some') return selection.ids.size
  return Math.max(0, total - selection.except.size)
}

/** These rows ticked or unticked. */
export function withRows(selection: Selection, ids: string[], isTicked: boolean): Selection {
  const set = new Set(selection.kind === 'some' ? selection.ids : selection.except)
  const isMember = selection.kind === 'some' ? isTicked : !isTicked
  for (const id of ids) {
    if (isMember) set.add(id)
    else set.delete(id)
  }
  return selection.kind === 'some' ? { kind: 'some', ids: set } : { kind: 'all', except: set }
}

/** What is selected, as a filter that the database takes. */
export function filterOf<Filter extends object>(
  selection: Selection,
  filter: Filter,
): Filter | { ids: string[] } | (Filter & { except: string[] }) {
  if (selection.kind === 'some') return { ids: [...selection.ids] }
  if (selection.except.size === 0) return filter
  return { ...filter, except: [...selection.except] }
}

type SelectionState = {
  selection: Selection
  /** The filter when it was made. */
  filter: object
  /** The row that was ticked last: the start of a range. */
  last: string
}

/** A selection of everything that matches ends when the filter changes. */
function selectionOf({ selection, filter }: SelectionState, now: object): Selection {
  return selection.kind === 'all' && filter !== now ? nothing : selection
}

/**
 * The selected rows of a list. Single rows stay selected through searches, because people gather them.
 * `toggle` is stable, so that memoised rows do not render again.
 */
export function useSelection(rowIds: string[], listFilter: object) {
  // The caller passes a new object with the same content when the user's own fields are read again: the old one is kept.
  const [filter, setFilter] = useState(listFilter)
  if (JSON.stringify(filter) !== JSON.stringify(listFilter)) setFilter(listFilter)
  const [state, setState] = useState<SelectionState>({ selection: nothing, filter, last: '' })
  const selection = selectionOf(state, filter)
  const shown = useRef({ rowIds, filter })
  useLayoutEffect(() => {
    shown.current = { rowIds, filter }
  }, [rowIds, filter])

  const choose = (chosen: Selection) => setState({ selection: chosen, filter, last: '' })
  const clear = () => choose(nothing)
  /** Clears the selection for a write, and restores it when the write fails. */
  function clearFor(write: Promise<unknown>): void {
    clear()
    write.catch(() =>
      setState((now) => {
        const since = selectionOf(now, shown.current.filter)
        if (selectedCount(since, 1) === 0) return state
        // Keep rows selected meanwhile; an old "everything that matches" may match other rows by now.
        if (since.kind === 'all' || selection.kind === 'all') return now
        return { ...now, selection: withRows(since, [...selection.ids], true) }
      }),
    )
  }
  /** With `isRange`, selects all rows from the one that was ticked before. */
  const toggle = useCallback((id: string, isRange = false) => {
    const { rowIds: ids, filter: current } = shown.current
    setState((now) => {
      const before = selectionOf(now, current)
      const rows = isRange ? between(ids, now.last, id) : [id]
      const isTicked = !isSelected(before, id)
      return { selection: withRows(before, rows, isTicked), filter: current, last: id }
    })
  }, [])
  const loaded = useMemo(() => {
    const ticked = rowIds.filter((id) => isSelected(selection, id)).length
    if (ticked === 0) return 'none'
    return ticked === rowIds.length ? 'all' : 'some'
  }, [rowIds, selection])
  return {
    selection,
    /** Whether all, some or none of the loaded rows are ticked. */
    loaded,
    toggle,
    toggleLoaded: () => (loaded === 'all' ? clear() : choose(withRows(selection, rowIds, true))),
    selectAll: () => choose({ kind: 'all', except: new Set() }),
    clear,
    clearFor,
  } as const
}

/** The selection of a list, with what its rows, its bar and its bulk writes take. */
export function useListSelection<Row extends { id: string }, Filter extends object>(
  rows: Row[],
  filter: Filter,
  total: number | undefined,
) {
  const rowIds = useMemo(() => rows.map(({ id }) => id), [rows])
  const { selection, loaded, ...actions } = useSelection(rowIds, filter)
  const count = selectedCount(selection, total ?? rowIds.length)
  const has = (id: string) => isSelected(selection, id)
  return {
    ...actions,
    count,
    /** Whether all, some or none of the loaded rows are selected. */
    loaded,
    isSelected: has,
    /** Whether the user has selected everything that matches, loaded or not. */
    isEverything: selection.kind === 'all',
    /** How many match, where more match than are selected. */
    matching: total !== undefined && total > count ? total : null,
    /** For a table or cards. */
    rowSelection: {
      isSelected: has,
      loaded,
      onToggle: actions.toggle,
      onToggleLoaded: actions.toggleLoaded,
    },
    /** For bulk writes. */
    chosen: { filter: filterOf(selection, filter), count, matches: ({ id }: Row) => has(id) },
  }
}

/** The rows from one to the other, in either direction; the other alone where one is not among them. */
function between(ids: string[], one: string, other: string): string[] {
  const [from, to] = [ids.indexOf(one), ids.indexOf(other)]
  if (from < 0 || to < 0) return [other]
  return ids.slice(Math.min(from, to), Math.max(from, to) + 1)
}
