import { sideName } from './import-sides.ts'
import type { Match } from './known-headers.ts'

const jobTitle = sideName('contact', 'role_title')

/** What the header of a column may say of a contact: 'Title' a job, 'Role' a job or what somebody does for a deal. */
export type SaysOfContact = { job: boolean; role: boolean }

/**
 * What the columns of a file of deals say of a contact's job, and of the role on the deal. `Title` is the job where another column
 * names the deal, and `Role` is the role where another one says the job.
 */
export function withDealRoles(matches: (Match | null)[], says: SaysOfContact[]): (Match | null)[] {
  const hasContact = matches.some((match) => match?.field === 'contact')
  // `Name` beside `Title` is the deal's where another column names the contact.
  const hasName = matches.some(
    (match, place) =>
      match?.field === 'name' && (!match.isDoubtful || (hasContact && !says[place]?.job)),
  )
  const jobs = matches.map((match, place) =>
    hasName && match?.field === 'name' && match.isDoubtful && says[place]?.job
      ? { ...match, field: jobTitle }
      : match,
  )
  const isRole = (match: Match | null, place: number) =>
    match?.field === jobTitle && Boolean(says[place]?.role)
  const hasJob = jobs.some((match, place) => match?.field === jobTitle && !isRole(match, place))
  return jobs.map((match, place) =>
    match && hasJob && isRole(match, place)
      ? { ...match, field: 'contact_role', isDoubtful: true }
      : match,
  )
}
