export { ContactDialog } from './contact-dialog-part.ts'
export { useContactName } from './contact-name.ts'
export { ContactSelect } from './contact-select.tsx'
export { contactUrl, contactView } from './contact-view.ts'
export { ExportContactsRow } from './export-contacts-row.tsx'
export { useReadContactsAgain } from './queries.ts'
export { CompanyContacts } from './record/company-contacts.tsx'
export { ContactDetails } from './record/contact-details.tsx'
export { type ContactRecord, useContact, useContactNeighbours } from './record/queries.ts'
export { ShareContactButton } from './record/share-contact-button.tsx'
export { useRemoveContact } from './record/use-remove-contact.ts'
/** Loaded when the screen is first opened. */
export const loadContactsPage = () => import('./contacts-page.tsx')
