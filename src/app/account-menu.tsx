import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useAuth } from '#features/auth/index.ts'
import { AccountButton } from './account-button.tsx'

const themes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const

/** Whose account it is, and the theme. Comes with the first click, and so it opens by itself. */
export default function AccountMenu() {
  const { user } = useAuth()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // The button that was pressed is gone: the focus has to be on this one to come back to it.
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
      // In the header, which is a landmark, and without a child that no menu may have.
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
          value={colorScheme}
          onChange={(value) => {
            const theme = themes.find((each) => each.value === value)
            if (theme) setColorScheme(theme.value)
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
      </Menu.Dropdown>
    </Menu>
  )
}
