import { Group, Select } from '@mantine/core'
import { useUrlChoices } from '#lib/url-state.ts'
import { DayField } from '#ui/day-field.tsx'
import classes from './history.module.css'
import { actions, historyUrlSchema } from './history-view.ts'

/** Which of it shows: a kind of action, a period. */
export function HistoryFilters() {
  const { state, setState: onChange } = useUrlChoices(historyUrlSchema)
  const { action, from, to } = state
  const isBackwards = Boolean(from && to && from > to)
  return (
    <Group gap="sm" align="flex-start" mb="lg" className={classes.filters ?? ''}>
      <Select
        label="Action"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Action' }}
        data={actions}
        value={action ?? null}
        onChange={(value) =>
          onChange({ action: actions.find((each) => each.value === value)?.value })
        }
        comboboxProps={{ shadow: 'md', withinPortal: false }}
      />
      <DayField
        label="From"
        value={from}
        onChange={(day) => onChange({ from: day })}
        error={isBackwards && 'Later than the end'}
      />
      <DayField label="To" value={to} onChange={(day) => onChange({ to: day })} />
    </Group>
  )
}
