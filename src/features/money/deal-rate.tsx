import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney, worthOf } from '#domain/money.ts'
import { FieldFact } from '#ui/field-row.tsx'
import { openedPart } from '#ui/lazy-part.tsx'
import { useMoney } from './queries.ts'

const RateDialog = openedPart(async () => (await import('./rate-dialog.tsx')).RateDialog)

type DealRateProps = { deal: { value: number; currency: string | null; rate: number | null } }

/** What a deal of another currency is worth in the account's, and by which rate; without one, asks for it. */
export function DealRate({ deal }: DealRateProps) {
  const { currency: own } = useMoney()
  const [isAsking, setIsAsking] = useState(false)
  const { currency, rate } = deal
  if (currency === null) return null
  const worth = worthOf(deal)
  return (
    <FieldFact label={`In ${own}`}>
      {worth === null || rate === null ? (
        <Anchor component="button" type="button" inherit onClick={() => setIsAsking(true)}>
          {`Enter a rate for ${currency}`}
        </Anchor>
      ) : (
        `${shownMoney(worth)} (1 ${currency} = ${shownNumber(rate, 6)} ${own})`
      )}
      {isAsking && <RateDialog currency={currency} onClose={() => setIsAsking(false)} />}
    </FieldFact>
  )
}
