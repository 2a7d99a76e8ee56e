import { confirmAction } from '#ui/confirm.tsx'
import { showError } from '#ui/toast.tsx'
import { lostLinks } from './lost-links.ts'
import { type Company, companyPages, useDeleteCompany, useReadCompaniesAgain } from './queries.ts'

/** Asks, with what hangs on it, and deletes. `onRemoving`: the user has said yes. */
export function useRemoveCompany(onRemoving = () => {}) {
  const remove = useDeleteCompany()
  const readAgain = useReadCompaniesAgain()
  return async (shown: Company) => {
    // What hangs on it may have changed in another window.
    const company = await companyPages.one(shown.id).catch(() => shown)
    if (!company) {
      showError('Failed to delete company: This record does not exist any more.')
      readAgain()
      return
    }
    const goAhead = await confirmAction({
      title: `Delete ${company.name}?`,
      body: lostLinks(company),
      confirm: 'Delete',
      isDangerous: true,
    })
    if (!goAhead) return
    // A failure is told, and the card is back.
    const removal = remove(company).catch(() => {})
    onRemoving()
    await removal
  }
}
