/** The order of names in lists that the page sorts itself: as people count, whatever the case. */
export const nameOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
