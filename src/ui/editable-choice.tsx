import { Menu, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCellEditing } from './cell-editing.ts'
import classes from './editable-field.module.css'
import { FieldRow } from './field-row.tsx'

type EditableChoiceProps<Value extends string> = {
  label: string
  value: Value
  values: readonly Value[]
  render: (value: Value) => ReactNode
  onChoose: (value: Value) => void
}

/** A field with a few choices, edited in place. */
export function EditableChoice<Value extends string>({
  label,
  value,
  values,
  render,
  onChoose,
}: EditableChoiceProps<Value>) {
  const cell = useCellEditing()
  return (
    <FieldRow label={label}>
      <Menu
        {...(cell ? { defaultOpened: true, onClose: cell.onSettled } : {})}
        position="bottom-start"
        width={200}
        shadow="md"
        withinPortal={false}
        // The scrolling column would clip the menu.
        floatingStrategy="fixed"
        classNames={{ itemLabel: classes.entry ?? '' }}
        // ARIA allows only items in a menu.
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <button type="button" className={`${classes.text} ${classes.choice}`}>
            <VisuallyHidden>{`Edit ${label}: `}</VisuallyHidden>
            {render(value)}
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          <Menu.RadioGroup
            value={value}
            onChange={(chosen) => {
              const known = values.find((each) => each === chosen)
              if (known !== undefined && known !== value) onChoose(known)
            }}
          >
            {values.map((each) => (
              <Menu.RadioItem
                key={each}
                value={each}
                closeMenuOnClick
                // Enter right after opening keeps what was chosen.
                data-autofocus={each === value || undefined}
              >
                {render(each)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </FieldRow>
  )
}
