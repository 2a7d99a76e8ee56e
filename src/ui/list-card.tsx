import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fromList } from './from-list.ts'
import classes from './list-card.module.css'
import { TickBox } from './tick-box.tsx'

export type CardSelection = { isSelected: boolean; onToggle: () => void }

type ListCardProps = {
  name: string
  to: string
  /** One line about the record. */
  about: string
  selection: CardSelection
  avatar?: ReactNode
  badge: ReactNode
  /** What is to be noticed, between the head and the lower part. */
  note?: ReactNode
  /** The lower part, with the buttons. */
  children: ReactNode
}

/** A record as a card, for narrow screens. */
export function ListCard({
  name,
  to,
  about,
  selection: { isSelected, onToggle },
  avatar,
  badge,
  note,
  children,
}: ListCardProps) {
  return (
    <article className={classes.card} data-selected={isSelected || undefined} aria-label={name}>
      <div className={classes.head}>
        <TickBox aria-label={`Select ${name}`} checked={isSelected} onChange={onToggle} />
        {avatar}
        <div className={classes.titles}>
          <Link to={to} state={fromList} data-row-link className={classes.name} title={name}>
            <bdi>{name}</bdi>
          </Link>
          {about && (
            <bdi className={classes.about} title={about}>
              {about}
            </bdi>
          )}
        </div>
        {badge}
      </div>
      {note}
      <div className={classes.foot}>{children}</div>
    </article>
  )
}

type SelectLoadedProps = { loaded: 'none' | 'some' | 'all'; onToggle: () => void }

/** The checkbox above the cards, which selects all loaded ones. */
export function SelectLoaded({ loaded, onToggle }: SelectLoadedProps) {
  return (
    <TickBox
      className={classes.selectLoaded ?? ''}
      label="Select all"
      checked={loaded === 'all'}
      indeterminate={loaded === 'some'}
      onChange={onToggle}
    />
  )
}
