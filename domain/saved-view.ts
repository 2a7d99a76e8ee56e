/** The lists whose views can be saved. */
export const viewScreens = ['contacts', 'companies', 'deals', 'tasks'] as const

export type ViewScreen = (typeof viewScreens)[number]

/** Normalises an address query: `?b=2&a=1` and `a=1&b=2` are the same view. */
export function normalisedQuery(query: string): string {
  const params = new URLSearchParams(query)
  params.sort()
  return params.toString()
}
