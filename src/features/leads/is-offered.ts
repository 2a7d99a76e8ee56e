import { readPageSettings } from '#lib/page-settings.ts'

/** Whether there are forms and the feed of cards: a hosted project has nobody who would show and take them. */
export function areLeadsOffered(): boolean {
  return readPageSettings().supabaseUrl === ''
}

/** Said in their place. */
export const whyNotOffered = 'Not available with a Supabase project. Needs Solo CRM’s own server.'
