import { useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

/** What is open on a page, such as a file, in its address: it can be linked to, and Back closes it. */
export function useOpenParam(name: string) {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const wasOpenedHere = useRef(false)
  function go(id: string | null, replace: boolean): void {
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (id) after.set(name, id)
        else after.delete(name)
        return after
      },
      { replace, preventScrollReset: true },
    )
  }
  return {
    id: params.get(name),
    open(id: string): void {
      wasOpenedHere.current = true
      go(id, false)
    },
    step: (id: string) => go(id, true),
    close(): void {
      if (wasOpenedHere.current) navigate(-1)
      else go(null, true)
      wasOpenedHere.current = false
    },
  }
}
