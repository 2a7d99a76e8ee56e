import { linkProblem } from '#domain/auth.ts'

let problem: string | null | undefined

/**
 * What went wrong with the mail's link that led here, if it did. Read once, before the client library
 * takes the address apart; the address is then cleaned, so that a reload does not say it again.
 */
export function mailLinkProblem(): string | null {
  if (problem !== undefined) return problem
  const { hash, search, pathname } = window.location
  problem =
    linkProblem(new URLSearchParams(hash.slice(1))) ?? linkProblem(new URLSearchParams(search))
  if (problem !== null) window.history.replaceState(window.history.state, '', pathname)
  return problem
}
