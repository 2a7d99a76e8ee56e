import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCellEditing } from './cell-editing.ts'
import { ChoiceMenu } from './choice-menu.tsx'

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
    <ChoiceMenu
      label={label}
      shown={render(value)}
      {...(cell ? { defaultOpened: true, onClose: cell.onSettled } : {})}
    >
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
    </ChoiceMenu>
  )
}
