import { useEffect, useState } from 'react'
import { linkProblem } from '#domain/auth.ts'

/**
 * What went wrong with the mail's link that led here, if it did, until it is put aside. The address is
 * cleaned once it shows, so that it is said once: a drawing may be given up and begun anew, and must
 * then find it again.
 */
export function useMailLinkProblem() {
  const [problem, setProblem] = useState(readProblem)
  const hasProblem = problem !== null
  useEffect(() => {
    if (hasProblem) window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [hasProblem])
  return { problem, putAside: () => setProblem(null) }
}

function readProblem(): string | null {
  const { hash, search } = window.location
  return linkProblem(new URLSearchParams(hash.slice(1))) ?? linkProblem(new URLSearchParams(search))
}
