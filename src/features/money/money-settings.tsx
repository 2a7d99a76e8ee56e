import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { shownNumber } from '#domain/figures.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { CurrencySelect } from './currency-select.tsx'
import classes from './money.module.css'
import { useMoney, useSetRate, useUncounted } from './queries.ts'

const RateDialog = openedPart(async () => (await import('./rate-dialog.tsx')).RateDialog)
const ChangeCurrencyDialog = openedPart(
  async () => (await import('./change-currency-dialog.tsx')).ChangeCurrencyDialog,
)

/** The currency of the account, and the rates of others. */
export function MoneySettings() {
  const uncounted = useUncounted()
  const { currency, rates } = useMoney()
  const setRate = useSetRate()
  const [wanted, setWanted] = useState<string | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const known = [...new Set([...Object.keys(rates), ...Object.keys(uncounted ?? {})])]
    .filter((code) => code !== currency)
    .toSorted()
  return (
    <Panel title="Money" text="Deals can be in any currency. Totals are in yours.">
      <PanelRow title="Currency" text="For totals and for deals without their own currency.">
        <CurrencySelect
          aria-label="Currency"
          w={260}
          allowDeselect={false}
          value={currency}
          onChange={(code) => code && code !== currency && setWanted(code)}
        />
      </PanelRow>
      <PanelRow
        title="Exchange rates"
        text="Closed deals keep the rate of their closing day. Deals without a rate aren’t counted."
      >
        <ul className={classes.rates} aria-label="Exchange rates">
          {known.map((code) => {
            const rate = rates[code]
            return (
              <li key={code} className={classes.rate}>
                {rate === undefined ? (
                  <span className={classes.none}>{`${code}: no rate`}</span>
                ) : (
                  <span>{`1 ${code} = ${shownNumber(rate, 8)} ${currency}`}</span>
                )}
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`${rate === undefined ? 'Enter' : 'Change'} the rate of ${code}`}
                  onClick={() => setAsked(code)}
                >
                  {rate === undefined ? 'Enter' : 'Change'}
                </Button>
                {rate !== undefined && (
                  <ActionIcon
                    aria-label={`Delete the rate of ${code}`}
                    title="Delete"
                    // The mutation reports a failure.
                    onClick={() => setRate({ currency: code, rate: null }).catch(() => {})}
                  >
                    <IconX size={16} stroke={1.5} aria-hidden />
                  </ActionIcon>
                )}
              </li>
            )
          })}
          <li className={classes.rate}>
            <CurrencySelect
              aria-label="Add a rate for a currency"
              placeholder="Add a currency"
              w={260}
              value={null}
              onChange={(code) => code && code !== currency && setAsked(code)}
            />
          </li>
        </ul>
      </PanelRow>
      {wanted && <ChangeCurrencyDialog to={wanted} onClose={() => setWanted(null)} />}
      {asked && <RateDialog currency={asked} onClose={() => setAsked(null)} />}
    </Panel>
  )
}
