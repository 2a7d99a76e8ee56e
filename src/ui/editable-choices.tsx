import { Menu } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCellEditing } from './cell-editing.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import classes from './editable-field.module.css'
import { useLeaveQuestion } from './use-leave-question.ts'

type EditableChoicesProps = {
  label: string
  value: string[]
  values: readonly string[]
  render: (chosen: string[]) => ReactNode
  /** Called once, when the menu closes. */
  onChoose: (chosen: string[]) => void
}

/** A field of which several choices are ticked, edited in place. */
export function EditableChoices({ label, value, values, render, onChoose }: EditableChoicesProps) {
  const cell = useCellEditing()
  const [ticked, setTicked] = useState<string[] | null>(cell ? value : null)
  const chosen = values.filter((each) => (ticked ?? value).includes(each))
  const isChanged = ticked !== null && chosen.join() !== value.join()
  useLeaveQuestion(isChanged)
  function close(): void {
    setTicked(null)
    if (isChanged) onChoose(chosen)
    cell?.onSettled()
  }
  return (
    <ChoiceMenu
      label={label}
      shown={chosen.length > 0 ? render(chosen) : <span className={classes.empty}>Empty</span>}
      opened={ticked !== null}
      onChange={(isOpen) => (isOpen ? setTicked(value) : close())}
    >
      <Menu.CheckboxGroup value={chosen} onChange={setTicked}>
        {values.map((each) => (
          <Menu.CheckboxItem key={each} value={each}>
            {render([each])}
          </Menu.CheckboxItem>
        ))}
      </Menu.CheckboxGroup>
    </ChoiceMenu>
  )
}
