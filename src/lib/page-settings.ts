// The small build of zod, because this is part of the first screen.
import { z } from 'zod/mini'

// The Content-Security-Policy forbids the code that zod would otherwise compile.
z.config({ jitless: true })

const pageSettingsSchema = z.object({
  /** Empty when the page's own server is the backend. */
  supabaseUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
  supabaseKey: z.string().check(z.minLength(1)),
})

export type PageSettings = z.infer<typeof pageSettingsSchema>

/** Reads what the server wrote into the page. */
export function readPageSettings(page: Document = document): PageSettings {
  const text = page.getElementById('settings')?.textContent ?? ''
  const result = pageSettingsSchema.safeParse(parseJson(text))
  if (result.success) return result.data
  const fields = result.error.issues.map((issue) => issue.path.join('.')).filter(Boolean)
  throw new Error(`The settings in this page are incomplete: ${fields.join(', ') || 'none found'}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
