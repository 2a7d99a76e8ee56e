import { Checkbox, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import classes from './composer.module.css'

const usual = 3
const most = 365

type FollowUpProps = {
  days: number | null
  onChange: (days: number | null) => void
}

/** Plans a task that goes away when the reply comes. Typing a number of days switches it on. */
export function FollowUp({ days, onChange }: FollowUpProps) {
  const [typed, setTyped] = useState<number | string>(days ?? usual)
  const wanted = Math.min(most, Math.max(1, Number(typed) || usual))
  return (
    <div className={classes.followUp}>
      <Checkbox
        size="sm"
        label="Follow up if no reply in"
        checked={days !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? wanted : null)}
      />
      <NumberInput
        aria-label="Days without a reply"
        w={64}
        min={1}
        max={most}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        hideControls
        value={typed}
        onChange={(next) => {
          setTyped(next)
          if (Number(next) >= 1) onChange(Number(next))
        }}
        onBlur={() => setTyped(days ?? wanted)}
      />
      <Text span size="sm">
        {Number(typed) === 1 ? 'day' : 'days'}
      </Text>
    </div>
  )
}
