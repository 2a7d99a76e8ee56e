/** What a user makes, in the order in which it is counted and listed. */
export const recordKinds = [
  'contacts',
  'companies',
  'deals',
  'tasks',
  'notes',
  'collections',
  'pipelines',
] as const
