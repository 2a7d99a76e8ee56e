import { ActionIcon, Skeleton, Title } from '@mantine/core'
import { useDocumentTitle, useHotkeys } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { BackLink } from './back-link.tsx'
import { fromList } from './from-list.ts'
import classes from './record-layout.module.css'

type Neighbour = { label: string; to: string | null }

type RecordHeaderProps = {
  /** What the record is called; nothing while it is on its way. */
  title: string | undefined
  subtitle?: string
  /** One or two letters that stand for it. */
  initials: string
  isRound?: boolean
  /** The list that it is in. */
  back: { label: string; to: string }
  previous: Neighbour
  next: Neighbour
  actions: ReactNode
}

/** What a record's page is about, and the ways out of it. */
export function RecordHeader({
  title,
  subtitle = '',
  initials,
  isRound = false,
  back,
  previous,
  next,
  actions,
}: RecordHeaderProps) {
  useDocumentTitle(`${title ?? back.label} · Solo CRM`)
  const navigate = useNavigate()
  const { state } = useLocation()
  const go = ({ to }: Neighbour) => to && navigate(to, { replace: true, state })
  useHotkeys([
    ['alt+ArrowUp', () => go(previous)],
    ['alt+ArrowDown', () => go(next)],
  ])
  return (
    <header className={classes.header}>
      <div className={classes.ways}>
        <BackLink
          {...back}
          onClick={(event) => {
            // The list one came from is still where it was left.
            if (state !== fromList || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            navigate(-1)
          }}
        />
        <nav className={classes.neighbours} aria-label="Neighbours in the list">
          <Step
            {...previous}
            keys="Alt+↑"
            icon={<IconChevronUp size={16} stroke={1.5} aria-hidden />}
          />
          <Step
            {...next}
            keys="Alt+↓"
            icon={<IconChevronDown size={16} stroke={1.5} aria-hidden />}
          />
        </nav>
        {actions}
      </div>
      <div className={classes.heading}>
        <span className={classes.initials} data-round={isRound || undefined} aria-hidden>
          {initials}
        </span>
        <div className={classes.titles}>
          {title === undefined ? (
            <Skeleton height={20} width={200} aria-hidden />
          ) : (
            <Title order={1} className={classes.title ?? ''} dir="auto">
              {title}
            </Title>
          )}
          {subtitle && (
            <bdi className={classes.subtitle} title={subtitle}>
              {subtitle}
            </bdi>
          )}
        </div>
      </div>
    </header>
  )
}

type StepProps = Neighbour & { keys: string; icon: ReactNode }

function Step({ label, to, keys, icon }: StepProps) {
  const { state } = useLocation()
  const look = {
    className: classes.step ?? '',
    'aria-label': label,
    title: `${label} (${keys})`,
  } as const
  if (!to) {
    return (
      <ActionIcon {...look} disabled>
        {icon}
      </ActionIcon>
    )
  }
  // Back leads to the list, however many of it one has looked at.
  return (
    <ActionIcon {...look} component={Link} to={to} replace state={state}>
      {icon}
    </ActionIcon>
  )
}
