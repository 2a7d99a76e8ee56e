import { UnstyledButton } from '@mantine/core'
import { IconPlus, IconSearch, IconSun } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { openQuickActions, openSearch } from '#features/quick-actions/index.ts'
import classes from './bottom-bar.module.css'
import { prefetch } from './prefetch.ts'
import { QuickActionsDrawer } from './quick-actions.tsx'
import { useScreenPath } from './remembered-screen.tsx'
import { type Screen, screens } from './screens.ts'

const icon = { size: 22, stroke: 1.5, 'aria-hidden': true } as const

/** On a phone, what is used most, within the thumb's reach; everything else is in the menu. */
export function BottomBar() {
  return (
    <nav className={classes.bar} aria-label="Shortcuts">
      <Entry path="dashboard" name="Today" icon={IconSun} />
      <Entry path="contacts" />
      <UnstyledButton
        className={classes.entry ?? ''}
        aria-label="Add"
        onPointerEnter={QuickActionsDrawer.preload}
        onClick={openQuickActions}
      >
        <span className={classes.add}>
          <IconPlus {...icon} />
        </span>
      </UnstyledButton>
      <Entry path="deals" />
      <UnstyledButton
        className={classes.entry ?? ''}
        onPointerEnter={QuickActionsDrawer.preload}
        onClick={openSearch}
      >
        <IconSearch {...icon} />
        Search
      </UnstyledButton>
    </nav>
  )
}

type EntryProps = { path: string; name?: string; icon?: Screen['icon'] }

function Entry({ path, ...own }: EntryProps) {
  const pathOf = useScreenPath()
  const screen = screens.find((each) => each.path === path)
  if (!screen) return null
  const { name, icon: Icon, load } = { ...screen, ...own }
  return (
    <NavLink to={pathOf(path)} className={classes.entry ?? ''} onPointerEnter={prefetch(load)}>
      <Icon {...icon} />
      {name}
    </NavLink>
  )
}
