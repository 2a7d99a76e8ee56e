import { ActionIcon, Burger, Group } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useState } from 'react'
import { useSignOut } from '#features/auth/index.ts'
import { SearchButton } from '#features/quick-actions/index.ts'
import { loadTaskButtons } from '#features/tasks/index.ts'
import { lazyPart, openedPart } from '#ui/lazy-part.tsx'
import { AccountButton } from './account-button.tsx'
import { QuickActionsDrawer } from './quick-actions.tsx'
import classes from './shell.module.css'
import { useReadsSettled } from './use-preloaded.ts'

type TopBarProps = { isMenuOpen: boolean; onMenu: () => void; onPointAtMenu: () => void }

const AccountMenu = openedPart(async () => (await import('./account-menu.tsx')).AccountMenu, {
  loading: () => <AccountButton />,
})
const TaskButtons = lazyPart(async () => (await loadTaskButtons()).TaskButtons, {
  loading: TaskButtonsPlace,
})

function TaskButtonsPlace() {
  return <Group w={76} />
}

export function TopBar({ isMenuOpen, onMenu, onPointAtMenu }: TopBarProps) {
  const { signOut, isPending } = useSignOut()
  // What the screen shows is read and loaded first.
  const hasRead = useReadsSettled()
  const [isAccountWanted, setIsAccountWanted] = useState(false)
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Burger
        opened={isMenuOpen}
        onClick={onMenu}
        onPointerEnter={onPointAtMenu}
        hiddenFrom="sm"
        size="sm"
        className={classes.opener ?? ''}
        aria-label="Open menu"
        aria-expanded={isMenuOpen}
      />
      <Group gap="sm" ml="auto" wrap="nowrap">
        <SearchButton onPointAt={QuickActionsDrawer.preload} />
        {hasRead ? <TaskButtons /> : <TaskButtonsPlace />}
        <ActionIcon
          size="lg"
          aria-label="Sign Out"
          title="Sign Out"
          onClick={signOut}
          disabled={isPending}
        >
          <IconLogout size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
        {isAccountWanted ? (
          <AccountMenu onClose={() => setIsAccountWanted(false)} />
        ) : (
          <AccountButton
            onClick={() => setIsAccountWanted(true)}
            onPointerEnter={AccountMenu.preload}
            onFocus={AccountMenu.preload}
          />
        )}
      </Group>
    </Group>
  )
}
