import { useCallback } from 'react'
import { useLocation } from 'react-router'

/** The address of a record's page, with the query of the list that leads there. */
export function useRowLink(path: string): (row: { id: string }) => string {
  const { search } = useLocation()
  return useCallback(({ id }) => `${path}/${id}${search}`, [path, search])
}
