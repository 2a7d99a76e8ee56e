import { Kbd, Menu, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useAuth } from '#features/auth/index.ts'
import { themes, useTheme } from '#features/preferences/index.ts'
import { openShortcuts } from '#features/shortcuts/index.ts'
import { AccountButton } from './account-button.tsx'
import classes from './account-menu.module.css'

/** Whose account it is, and the theme. Loaded by the first click, so it opens on mount. */
export function AccountMenu() {
  const { user } = useAuth()
  const { theme: chosen, setTheme } = useTheme()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // This button replaces the one that was pressed: focus it, so that closing returns the focus here.
  useEffect(() => {
    button.current?.focus()
    setIsOpen(true)
  }, [])
  return (
    <Menu
      position="bottom-end"
      width={220}
      opened={isOpen}
      onChange={setIsOpen}
      // Inside the header, which is a landmark; without Mantine's placeholder, which ARIA forbids in a menu.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <AccountButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="xs" c="dimmed" truncate title={user?.email} px="sm" py="xs">
          {user?.email}
        </Text>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup
          value={chosen}
          onChange={(value) => {
            const theme = themes.find((each) => each.value === value)
            if (theme) setTheme(theme.value)
          }}
        >
          {themes.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              rightSection={<Icon size={16} stroke={1.5} aria-hidden />}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider className={classes.forKeyboards ?? ''} />
        <Menu.Item
          className={classes.forKeyboards ?? ''}
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={openShortcuts}
        >
          Keyboard shortcuts
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
