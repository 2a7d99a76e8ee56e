import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

const earliest = '1900-01-01'
const usualLatest = '2200-12-31'

type DayFieldProps = {
  label: string
  /** `YYYY-MM-DD`. */
  value: string | undefined
  onChange: (day: string | undefined) => void
  error?: string | false
  latest?: string
}

/** A date field. A year that is still being typed is not reported. */
export function DayField({ label, value, onChange, error, latest = usualLatest }: DayFieldProps) {
  const [typed, setTyped] = useState(value ?? '')
  useEffect(() => setTyped(value ?? ''), [value])
  const isOutside = typed !== '' && (typed < earliest || typed > latest)
  return (
    <TextInput
      type="date"
      label={label}
      min={earliest}
      max={latest}
      value={typed}
      onChange={(event) => {
        const day = event.currentTarget.value
        setTyped(day)
        if (day === '' || (day >= earliest && day <= latest)) onChange(day || undefined)
      }}
      error={isOutside ? outside(latest) : error}
    />
  )
}

function outside(latest: string): string {
  return latest === usualLatest ? 'Between 1900 and 2200' : 'Not after today'
}
