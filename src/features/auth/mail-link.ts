import { linkProblem } from '#domain/auth.ts'

/**
 * What went wrong with the mail's link that led here, if it did. The address is then cleaned, so that
 * it is said once.
 */
export function takeMailLinkProblem(): string | null {
  const { hash, search, pathname } = window.location
  const problem =
    linkProblem(new URLSearchParams(hash.slice(1))) ?? linkProblem(new URLSearchParams(search))
  if (problem !== null) window.history.replaceState(window.history.state, '', pathname)
  return problem
}
