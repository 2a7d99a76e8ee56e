import { Button } from '@mantine/core'
import { useState } from 'react'
import { openedPart } from '#ui/lazy-part.tsx'
import { CurrencySelect } from './currency-select.tsx'
import { useMoney } from './queries.ts'

const RateDialog = openedPart(async () => (await import('./rate-dialog.tsx')).RateDialog)

type DealCurrencyProps = {
  label: string
  name: string
  /** Empty is the account's. */
  value: string
  onChange: (code: string) => void
  error?: React.ReactNode
  /** Called while the dialog for a rate covers the form. */
  onCovered: (isCovered: boolean) => void
}

/** The currency of a deal in its form; where it has no rate yet, one is asked for. */
export function DealCurrency({ onChange, onCovered, value, ...input }: DealCurrencyProps) {
  const { currency, rates } = useMoney()
  const [isAsking, setIsAsking] = useState(false)
  const ask = (isOpen: boolean) => {
    setIsAsking(isOpen)
    onCovered(isOpen)
  }
  const isUnknown = value !== '' && value !== currency && rates[value] === undefined
  return (
    <div data-tall={isUnknown || undefined}>
      <CurrencySelect
        {...input}
        placeholder={currency}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Currency', 'aria-hidden': false }}
        value={value || currency}
        onChange={(code) => onChange(code === null || code === currency ? '' : code)}
      />
      {isUnknown && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => ask(true)}>
          {`No rate for ${value} yet: enter one`}
        </Button>
      )}
      {isAsking && <RateDialog currency={value} onClose={() => ask(false)} />}
    </div>
  )
}
