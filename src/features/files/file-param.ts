/** The file that is open in the address of a record's page. */
export const fileParam = 'file'
