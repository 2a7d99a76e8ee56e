import { counted } from '#domain/counted.ts'
import { readPageSettings } from '#lib/page-settings.ts'
import classes from './mark.module.css'
import { useWaitingCounts } from './queries.ts'

/** A dot at the bell while something stands in its panel that is no task. */
export function WaitingMark() {
  const { proposals, leads, webhooks } = useWaitingCounts()
  // A hosted project sends no webhooks, and its panel says nothing of them.
  const off = readPageSettings().supabaseUrl === '' ? webhooks : 0
  const words = [
    proposals > 0 &&
      `${counted(proposals, 'proposal')} ${proposals === 1 ? 'waits' : 'wait'} for you`,
    leads > 0 && counted(leads, 'new lead'),
    off > 0 && `${counted(off, 'webhook')} switched off`,
  ].filter(Boolean)
  if (words.length === 0) return null
  return <span role="img" aria-label={words.join(', ')} className={classes.mark} />
}
