import { useCallback, useMemo, useState } from 'react'

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

/**
 * What is selected of the rows of a list. "Everything that matches" ends with the filter it was said
 * of; single rows stay ticked through searches, as people gather them.
 */
export function useSelection(rowIds: string[], filter: object) {
  const [state, setState] = useState({ selection: nothing, filter, last: '' })
  const isStale = state.selection.kind === 'all' && state.filter !== filter
  const selection = isStale ? nothing : state.selection

  const setRows = useCallback(
    (ids: string[], isTicked: boolean, last = '') =>
      setState((now) => ({ selection: withRows(now.selection, ids, isTicked), filter, last })),
    [filter],
  )
  const clear = useCallback(() => setState({ selection: nothing, filter, last: '' }), [filter])
  const selectAll = useCallback(
    () => setState({ selection: { kind: 'all', except: new Set() }, filter, last: '' }),
    [filter],
  )
  /** With `isRange`, everything from the row that was ticked before. */
  function toggle(id: string, isRange = false): void {
    const isTicked = !isSelected(selection, id)
    const [from, to] = [rowIds.indexOf(state.last), rowIds.indexOf(id)]
    const isKnown = isRange && from >= 0 && to >= 0
    const ids = isKnown ? rowIds.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    if (isStale) setState({ selection: withRows(nothing, ids, true), filter, last: id })
    else setRows(ids, isTicked, id)
  }
  const loaded = useMemo(() => {
    const ticked = rowIds.filter((id) => isSelected(selection, id)).length
    if (ticked === 0) return 'none'
    return ticked === rowIds.length ? 'all' : 'some'
  }, [rowIds, selection])
  return {
    selection,
    /** How much of what is loaded is ticked. */
    loaded,
    toggle,
    toggleLoaded: () => (loaded === 'all' ? clear() : setRows(rowIds, true)),
    selectAll,
    clear,
  } as const
}
