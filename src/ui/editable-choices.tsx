import { Menu, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCellEditing } from './cell-editing.ts'
import classes from './editable-field.module.css'
import { FieldRow } from './field-row.tsx'
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
    <FieldRow label={label}>
      <Menu
        opened={ticked !== null}
        onChange={(isOpen) => (isOpen ? setTicked(value) : close())}
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
            {chosen.length > 0 ? render(chosen) : <span className={classes.empty}>Empty</span>}
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          <Menu.CheckboxGroup value={chosen} onChange={setTicked}>
            {values.map((each) => (
              <Menu.CheckboxItem key={each} value={each}>
                {render([each])}
              </Menu.CheckboxItem>
            ))}
          </Menu.CheckboxGroup>
        </Menu.Dropdown>
      </Menu>
    </FieldRow>
  )
}
