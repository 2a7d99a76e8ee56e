import { confirmAction } from '#ui/confirm.tsx'
import { showError } from '#ui/toast.tsx'
import { lostLinks } from './lost-links.ts'
import { type Company, companyPages, useDeleteCompany, useReadCompaniesAgain } from './queries.ts'

/** Asks, naming the linked records, and deletes. `onRemoving` is called when the user confirms. */
export function useRemoveCompany(onRemoving = () => {}) {
  const remove = useDeleteCompany()
  const readAgain = useReadCompaniesAgain()
  return async (shown: Company) => {
    // The linked records may have changed in another window.
    const company = await companyPages.one(shown.id).catch(() => shown)
    if (!company) {
      showError('Failed to delete company: This record no longer exists.')
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
    // The mutation reports a failure and rolls back.
    const removal = remove(company).catch(() => {})
    onRemoving()
    await removal
  }
}
