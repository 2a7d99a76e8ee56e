import { createContext, useContext } from 'react'

export type CellEditing = {
  /** The control that began the editing, which gets the focus back. */
  home: () => HTMLElement | null
  /** Called when the value was saved, or editing was given up. */
  onSettled: () => void
}

/**
 * Given around a field that is edited in place: in the cell of a table it has no label, begins at once, and ends with
 * the editing. Null in the details of a record.
 */
export const CellEditingContext = createContext<CellEditing | null>(null)

export function useCellEditing(): CellEditing | null {
  return useContext(CellEditingContext)
}
