import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { linkProblem, type MailLink, readMailLink, voidLink } from '#domain/auth.ts'

/** The error of a mail's link; its type if known. */
export type LinkProblem = { message: string; type?: MailLink['type'] }

/**
 * The mail's link in the address. It stays there until it is used, so that a reload does not lose it.
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
 * The error of the mail's link in the address, until it is dismissed. The address is cleaned in an effect after it is
 * shown, because React may discard a render and start again.
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
