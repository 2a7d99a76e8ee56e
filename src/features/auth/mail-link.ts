import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { linkProblem, type MailLink, readMailLink, voidLink } from '#domain/auth.ts'

/** What went wrong with the link of a mail; its type where it is known. */
export type LinkProblem = { message: string; type?: MailLink['type'] }

/**
 * The link of a mail that led here and has not been followed yet. It stays in the address until then: a reload
 * must not lose it.
 */
export function useMailLink() {
  const { hash } = useLocation()
  const [search, setSearch] = useSearchParams()
  const link = readMailLink(new URLSearchParams(hash.slice(1))) ?? readMailLink(search)
  function takeFromAddress(): void {
    const kept = new URLSearchParams(search)
    kept.delete('token_hash')
    kept.delete('type')
    setSearch(kept, { replace: true })
  }
  return { link, takeFromAddress }
}

/**
 * What went wrong with the mail's link that led here, if it did, until it is put aside. The address is
 * cleaned once it shows, so that it is said once: a drawing may be given up and begun anew, and must
 * then find it again.
 */
export function useMailLinkProblem() {
  const [problem, setProblem] = useState(readProblem)
  const hasProblem = problem !== null
  useEffect(() => {
    if (hasProblem && readProblem()) {
      window.history.replaceState(window.history.state, '', window.location.pathname)
    }
  }, [hasProblem])
  return {
    problem,
    putAside: () => setProblem(null),
    setVoid: (type: MailLink['type']) => setProblem({ message: voidLink, type }),
  }
}

function readProblem(): LinkProblem | null {
  const { hash, search } = window.location
  const message =
    linkProblem(new URLSearchParams(hash.slice(1))) ?? linkProblem(new URLSearchParams(search))
  return message === null ? null : { message }
}
