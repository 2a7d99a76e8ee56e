import { lazyPart } from '#ui/lazy-part.tsx'

/** Who filled in a form; most accounts have none, so it comes after everything else. */
export const NewLeads = lazyPart(async () => (await import('./new-leads.tsx')).NewLeads)
