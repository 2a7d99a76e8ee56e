import { Anchor, Group } from '@mantine/core'
import { useState } from 'react'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney, worthOf } from '#domain/money.ts'
import { EditButton } from '#ui/edit-button.tsx'
import { FieldFact } from '#ui/field-row.tsx'
import { openedPart } from '#ui/lazy-part.tsx'
import { useMoney } from './queries.ts'

const RateDialog = openedPart(async () => (await import('./rate-dialog.tsx')).RateDialog)

type DealRateProps = {
  deal: { value: number; currency: string | null; rate: number | null; closed_at: string | null }
  onCorrect: (rate: number) => Promise<unknown>
}

/** What a deal of another currency is worth in the account's, and by which rate; without one, asks for it. That of a closed deal can be corrected. */
export function DealRate({ deal, onCorrect }: DealRateProps) {
  const { currency: own } = useMoney()
  const [isAsking, setIsAsking] = useState(false)
  const { currency, rate } = deal
  if (currency === null) return null
  const worth = worthOf(deal)
  const isKept = rate !== null && deal.closed_at !== null
  return (
    <FieldFact label={`In ${own}`}>
      {worth === null || rate === null ? (
        <Anchor component="button" type="button" inherit onClick={() => setIsAsking(true)}>
          {`Enter a rate for ${currency}`}
        </Anchor>
      ) : (
        <Group gap={4} wrap="nowrap">
          {`${shownMoney(worth)} (1 ${currency} = ${shownNumber(rate, 6)} ${own})`}
          {isKept && (
            <EditButton
              name="rate"
              onEdit={() => setIsAsking(true)}
              onPointAtEdit={RateDialog.preload}
            />
          )}
        </Group>
      )}
      {isAsking && (
        <RateDialog
          currency={currency}
          {...(isKept ? { ofDeal: { rate, onCorrect } } : {})}
          onClose={() => setIsAsking(false)}
        />
      )}
    </FieldFact>
  )
}
