import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Uncounted, uncountedWords } from '#domain/money.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import classes from './money.module.css'

const RateDialog = openedPart(async () => (await import('./rate-dialog.tsx')).RateDialog)

/** Tells what a sum leaves out because its currency has no rate, and asks for one. */
export function UncountedNotice({ uncounted }: { uncounted: Uncounted | undefined }) {
  const [asked, setAsked] = useState<string | null>(null)
  const currencies = Object.keys(uncounted ?? {}).toSorted()
  if (!uncounted || currencies.length === 0) return null
  return (
    <div className={classes.uncounted} role="status">
      {uncountedWords(uncounted).map((words, place) => {
        const currency = currencies[place] ?? ''
        return (
          <span key={currency}>
            {words}
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setAsked(currency)}
              aria-label={`Enter a rate for ${currency}`}
            >
              Enter a rate
            </Button>
          </span>
        )
      })}
      {asked && <RateDialog currency={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}
