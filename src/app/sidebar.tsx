import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { useAuth, useSignOut } from '#features/auth/index.ts'
import { OutboxEntry } from '#features/compose/index.ts'
import { loadKeptSection } from '#features/kept/index.ts'
import { QuickActionsButton } from '#features/quick-actions/index.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ProductMark } from '#ui/product-mark.tsx'
import { prefetch } from './prefetch.ts'
import { QuickActionsDrawer } from './quick-actions.tsx'
import { useScreenPath } from './remembered-screen.tsx'
import { screens } from './screens.ts'
import classes from './shell.module.css'
import { useReadsSettled } from './use-preloaded.ts'

const KeptSection = lazyPart(async () => (await loadKeptSection()).KeptSection)

type SidebarProps = {
  /** Called when an entry is pressed, so that a drawer can close. */
  onNavigate?: () => void
}

export function Sidebar({ onNavigate }: SidebarProps) {
  const { user } = useAuth()
  const { signOut, isPending } = useSignOut()
  const pathOf = useScreenPath()
  return (
    <>
      <Group gap="sm" className={classes.brand}>
        <ProductMark size={24} />
        <Text fw={600}>Solo CRM</Text>
      </Group>
      <Stack gap={2} p="sm" flex={1}>
        <QuickActionsButton onOpen={onNavigate} onPointAt={QuickActionsDrawer.preload} />
        {screens.map(({ path, name, icon: Icon, load }) => (
          <NavLink
            key={path}
            to={pathOf(path)}
            className={classes.entry ?? ''}
            onClick={onNavigate}
            // Loads the code before the click.
            onPointerEnter={prefetch(load)}
            onFocus={prefetch(load)}
          >
            <Icon size={18} stroke={1.5} aria-hidden />
            {name}
          </NavLink>
        ))}
        <Later onNavigate={onNavigate} />
      </Stack>
      <Stack gap={2} p="sm" className={classes.foot}>
        <Text size="xs" c="dimmed" truncate title={user?.email} px="sm">
          {user?.email}
        </Text>
        <UnstyledButton className={classes.entry ?? ''} onClick={signOut} disabled={isPending}>
          <IconLogout size={18} stroke={1.5} aria-hidden />
          Sign Out
        </UnstyledButton>
      </Stack>
    </>
  )
}

/** The outbox, pinned and recent records wait until the screen is there. */
function Later({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const entry = { entryClass: classes.entry ?? '', onNavigate }
  return (
    useReadsSettled() && (
      <>
        <OutboxEntry {...entry} />
        <KeptSection {...entry} />
      </>
    )
  )
}
