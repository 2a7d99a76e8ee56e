import { Box, UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconBuilding,
  IconChevronDown,
  IconCurrencyDollar,
  IconUser,
} from '@tabler/icons-react'
import { useState } from 'react'
import { NavLink } from 'react-router'
import { browserStorage } from '#lib/browser-storage.ts'
import classes from './kept.module.css'
import { type KeptRecord, useKept } from './queries.ts'

const icons: Record<KeptRecord['kind'], Icon> = {
  contacts: IconUser,
  companies: IconBuilding,
  deals: IconCurrencyDollar,
}

/** So many lines fit into a sidebar; the search has the rest. */
const most = { pinned: 7, opened: 4 }

/** Whether the recent ones show is a matter of this window's size, so it stays in the browser. */
const storageKey = 'solo-recent'

type KeptSectionProps = {
  entryClass: string
  onNavigate?: (() => void) | undefined
}

/** Pinned and recently opened records in the sidebar; nothing at all while there are none. */
export function KeptSection({ entryClass, onNavigate }: KeptSectionProps) {
  const { data } = useKept()
  const [isOpen, setIsOpen] = useState(() => browserStorage().getItem(storageKey) === 'open')
  if (!data) return null
  const recent = data.opened.filter(({ id }) => !data.pinned.some((each) => each.id === id))
  const entries = (rows: KeptRecord[]) =>
    rows.map(({ kind, id, title: name, about }) => {
      const KindIcon = icons[kind]
      const title = name || 'Unnamed'
      return (
        <NavLink
          key={id}
          to={`/app/${kind}/${id}`}
          className={entryClass}
          onClick={onNavigate}
          title={[title, about].filter(Boolean).join(' · ')}
        >
          <KindIcon size={18} stroke={1.5} aria-hidden className={classes.icon} />
          <bdi className={classes.title}>{title}</bdi>
        </NavLink>
      )
    })
  function toggle(): void {
    browserStorage().setItem(storageKey, isOpen ? 'closed' : 'open')
    setIsOpen(!isOpen)
  }
  return (
    <>
      {data.pinned.length > 0 && (
        <Box role="group" aria-label="Pinned" className={classes.group ?? ''}>
          <div className={classes.heading} aria-hidden>
            Pinned
          </div>
          {entries(data.pinned.slice(0, most.pinned))}
        </Box>
      )}
      {recent.length > 0 && (
        <div className={classes.group}>
          <UnstyledButton className={classes.fold ?? ''} aria-expanded={isOpen} onClick={toggle}>
            Recent
            <IconChevronDown size={14} stroke={1.5} aria-hidden />
          </UnstyledButton>
          {isOpen && entries(recent.slice(0, most.opened))}
        </div>
      )}
    </>
  )
}
