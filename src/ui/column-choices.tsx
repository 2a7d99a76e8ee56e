import { ActionIcon, Button, Checkbox, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import classes from './column-menu.module.css'
import { type Unfolded, UnfoldedPanel } from './unfolded.tsx'

type ColumnChoicesProps = Unfolded & {
  columns: { key: string; label: string }[]
  shown: string[]
  onChange: (shown: string[]) => void
  usual: string[]
  onAdd?: () => void
}

/** The columns of a list: which are shown, and in which order. */
export function ColumnChoices(props: ColumnChoicesProps) {
  const { columns, shown, onChange, usual, onAdd, ...panel } = props
  const list = useRef<HTMLUListElement>(null)
  const labels = new Map(columns.map(({ key, label }) => [key, label]))
  const hidden = columns.map(({ key }) => key).filter((key) => !shown.includes(key))

  function move(key: string, by: -1 | 1): void {
    const from = shown.indexOf(key)
    const order = shown.toSpliced(from, 1).toSpliced(from + by, 0, key)
    onChange(order)
    // At an end the pressed button disappears: focus the other one of the column.
    const isAtEnd = order[0] === key || order.at(-1) === key
    if (isAtEnd) list.current?.querySelector<HTMLElement>(`[data-column="${key}"] input`)?.focus()
  }

  return (
    <UnfoldedPanel width={280} trapFocus {...panel}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          Columns
        </Text>
        <ul ref={list} className={classes.list}>
          {[...shown, ...hidden].map((key) => {
            const label = labels.get(key) ?? key
            const place = shown.indexOf(key)
            return (
              <li key={key} data-column={key} className={classes.item}>
                <Checkbox
                  size="xs"
                  label={label}
                  checked={place >= 0}
                  onChange={() =>
                    onChange(place >= 0 ? shown.filter((each) => each !== key) : [...shown, key])
                  }
                />
                {place > 0 && (
                  <ActionIcon
                    size="md"
                    aria-label={`Move ${label} to the left`}
                    onClick={() => move(key, -1)}
                  >
                    <IconArrowUp size={14} stroke={1.5} aria-hidden />
                  </ActionIcon>
                )}
                {place >= 0 && place < shown.length - 1 && (
                  <ActionIcon
                    size="md"
                    aria-label={`Move ${label} to the right`}
                    onClick={() => move(key, 1)}
                  >
                    <IconArrowDown size={14} stroke={1.5} aria-hidden />
                  </ActionIcon>
                )}
              </li>
            )
          })}
        </ul>
        {onAdd && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
            onClick={() => {
              panel.onClose()
              onAdd()
            }}
          >
            Add field
          </Button>
        )}
        <Button
          variant="default"
          disabled={shown.join() === usual.join()}
          onClick={() => onChange(usual)}
        >
          Reset columns
        </Button>
      </Stack>
    </UnfoldedPanel>
  )
}
