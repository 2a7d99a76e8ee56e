/** What the fields of a deal are called, in lists and in files. */
export const dealFieldNames = {
  name: 'Deal',
  pipeline: 'Pipeline',
  stage: 'Stage',
  value: 'Potential value',
  expected_close: 'Expected Close',
  company: 'Company',
  contact: 'Contact',
  contact_first_name: 'Contact First Name',
  contact_last_name: 'Contact Last Name',
  contact_email: 'Contact Email',
  lost_reason: 'Lost Reason',
  next_task: 'Next Task',
  created: 'Created',
  closed: 'Closed At',
} as const

export type DealField = keyof typeof dealFieldNames
