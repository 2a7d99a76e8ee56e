import { ActionIcon, Skeleton, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { BackLink } from './back-link.tsx'
import { fromList } from './from-list.ts'
import classes from './record-layout.module.css'
import { recordShortcuts } from './record-shortcuts.ts'
import { ariaKeys, keyCaps, type Shortcut, useShortcut } from './shortcut.ts'

type Neighbour = { label: string; to: string | null }

type RecordHeaderProps = {
  /** The record's name; undefined while it loads. */
  title: string | undefined
  subtitle?: string
  /** One or two letters for the avatar. */
  initials: string
  isRound?: boolean
  /** The list of the record. */
  back: { label: string; to: string }
  previous: Neighbour
  next: Neighbour
  actions: ReactNode
  /** What is done most often, beside the name; on the phone below it. */
  quickActions?: ReactNode
}

/** The name of a record, the links to its list and its neighbours there, and its actions. */
export function RecordHeader({
  title,
  subtitle = '',
  initials,
  isRound = false,
  back,
  previous,
  next,
  actions,
  quickActions,
}: RecordHeaderProps) {
  useDocumentTitle(`${title ?? back.label} · Solo CRM`)
  const navigate = useNavigate()
  const { state } = useLocation()
  const go = ({ to }: Neighbour) => to && navigate(to, { replace: true, state })
  useShortcut(recordShortcuts.previous, () => go(previous))
  useShortcut(recordShortcuts.next, () => go(next))
  return (
    <header className={classes.header}>
      <div className={classes.ways}>
        <BackLink
          {...back}
          onClick={(event) => {
            // Go back in history where possible: the list is still scrolled to the row.
            if (state !== fromList || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            navigate(-1)
          }}
        />
        <nav className={classes.neighbours} aria-label="Previous and next">
          <Step
            {...previous}
            shortcut={recordShortcuts.previous}
            icon={<IconChevronUp size={16} stroke={1.5} aria-hidden />}
          />
          <Step
            {...next}
            shortcut={recordShortcuts.next}
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
        {quickActions}
      </div>
    </header>
  )
}

type StepProps = Neighbour & { shortcut: Shortcut; icon: ReactNode }

function Step({ label, to, shortcut, icon }: StepProps) {
  const { state } = useLocation()
  const look = {
    className: classes.step ?? '',
    'aria-label': label,
    title: `${label} (${shortcut.keys.map((key) => keyCaps(key).join('+')).join()})`,
    'aria-keyshortcuts': ariaKeys(shortcut),
  } as const
  if (!to) {
    return (
      <ActionIcon {...look} disabled>
        {icon}
      </ActionIcon>
    )
  }
  // Neighbours replace the history entry, so that Back leads to the list from any of them.
  return (
    <ActionIcon {...look} component={Link} to={to} replace state={state}>
      {icon}
    </ActionIcon>
  )
}
