import { ActionIcon, Burger, Group } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useSignOut } from '#features/auth/index.ts'
import { SearchButton } from '#features/search/index.ts'
import { loadTaskButtons } from '#features/tasks/index.ts'
import { AccountButton } from './account-button.tsx'
import { prefetch } from './prefetch.ts'
import { loadSearch } from './search.tsx'

type TopBarProps = { isMenuOpen: boolean; onMenu: () => void; onPointAtMenu: () => void }

const loadAccountMenu = () => import('./account-menu.tsx')
const AccountMenu = lazy(loadAccountMenu)
const TaskButtons = lazy(async () => ({ default: (await loadTaskButtons()).TaskButtons }))

export function TopBar({ isMenuOpen, onMenu, onPointAtMenu }: TopBarProps) {
  const { signOut, isPending } = useSignOut()
  const [isAccountWanted, setIsAccountWanted] = useState(false)
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Burger
        opened={isMenuOpen}
        onClick={onMenu}
        onPointerEnter={onPointAtMenu}
        hiddenFrom="sm"
        size="sm"
        aria-label="Open menu"
        aria-expanded={isMenuOpen}
      />
      <Group gap="sm" ml="auto" wrap="nowrap">
        <SearchButton onPointAt={prefetch(loadSearch)} />
        {/* They keep their place until they are there. */}
        <Suspense fallback={<Group w={76} />}>
          <TaskButtons />
        </Suspense>
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
          <Suspense fallback={<AccountButton />}>
            <AccountMenu />
          </Suspense>
        ) : (
          <AccountButton
            onClick={() => setIsAccountWanted(true)}
            onPointerEnter={prefetch(loadAccountMenu)}
            onFocus={prefetch(loadAccountMenu)}
          />
        )}
      </Group>
    </Group>
  )
}
