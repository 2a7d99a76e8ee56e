import { Menu, type MenuProps, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './editable-field.module.css'
import { FieldRow } from './field-row.tsx'

type ChoiceMenuProps = Pick<MenuProps, 'opened' | 'defaultOpened' | 'onChange' | 'onClose'> & {
  label: string
  /** What is chosen, as it is shown. */
  shown: ReactNode
  children: ReactNode
}

/** A field of a record whose value is chosen from a menu. */
export function ChoiceMenu({ label, shown, children, ...menu }: ChoiceMenuProps) {
  return (
    <FieldRow label={label}>
      <Menu
        {...menu}
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
            {shown}
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {children}
        </Menu.Dropdown>
      </Menu>
    </FieldRow>
  )
}
