import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { openedPart } from './lazy-part.tsx'
import { Unfolding } from './unfolding.tsx'

const ColumnChoices = openedPart(async () => (await import('./column-choices.tsx')).ColumnChoices)

type ColumnMenuProps<Key extends string> = {
  /** All columns with their labels. */
  columns: { key: Key; label: string }[]
  /** The visible columns, in order. */
  shown: Key[]
  onChange: (shown: Key[]) => void
  /** The default columns. */
  usual: Key[]
  /** A column that does not exist yet. */
  onAdd?: () => void
}

/** The button 'View settings': chooses and orders the columns. */
export function ColumnMenu<Key extends string>(props: ColumnMenuProps<Key>) {
  const { columns, shown, onChange, usual, onAdd } = props
  const known = (keys: string[]) =>
    keys.flatMap((wanted) => columns.find(({ key }) => key === wanted)?.key ?? [])
  return (
    <Unfolding
      popup="dialog"
      parts={[ColumnChoices]}
      button={(button) => (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.5} aria-hidden />}
          {...button}
        >
          View settings
        </Button>
      )}
    >
      {(onClose) => (
        <ColumnChoices
          label="View settings"
          columns={columns}
          shown={shown}
          onChange={(keys) => onChange(known(keys))}
          usual={usual}
          {...(onAdd ? { onAdd } : {})}
          onClose={onClose}
        />
      )}
    </Unfolding>
  )
}
