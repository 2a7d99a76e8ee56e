import { Button, Skeleton } from '@mantine/core'
import {
  type Icon,
  IconChecklist,
  IconCurrencyDollar,
  IconMail,
  IconPhone,
  IconPhoneCheck,
} from '@tabler/icons-react'
import { type ComponentPropsWithoutRef, useRef } from 'react'
import { phoneLink } from '#domain/contact.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { WriteEmail } from '#features/compose/index.ts'
import { type Linked, type MailSubject, openComposer, openForm } from '#features/forms/index.ts'
import { askToLog } from '#features/timeline/index.ts'
import { opens } from '#ui/lazy-part.tsx'
import { recordShortcuts } from '#ui/record-shortcuts.ts'
import { ariaKeys, keyCaps, type Shortcut, useShortcut } from '#ui/shortcut.ts'
import classes from './quick-actions.module.css'

type Links = { contact?: Linked; company?: Linked; deal?: Linked }

/** Whom the actions of a record reach, and what new records are linked to. */
export type QuickTargets = {
  phone: string | null
  /** Whose number that is, where it is not the record's own. */
  person?: string | undefined
  /** Null where there is nobody to write to. */
  email: { filter: ContactFilter; count: number } | null
  /** Its own address, where there are no contacts to write to. */
  address?: string | null
  task: Links
  /** Null where a deal makes no sense. */
  deal: Links | null
}

type QuickActionsProps = {
  targets: QuickTargets
  /** The record itself, whose files may go along with a mail. */
  subject?: MailSubject
  isGone: boolean
}

/** Call, write, log, plan, sell: what is done most often with a record. */
export function QuickActions({ targets, subject, isGone }: QuickActionsProps) {
  const { phone, person, email, address, task, deal } = targets
  const call = phone ? phoneLink(phone) : null
  const link = useRef<HTMLAnchorElement>(null)
  const can = (run: () => void) => () => {
    if (!isGone) run()
  }
  const write = () => {
    const about = subject ? { subject } : {}
    if (email) openComposer({ contacts: email, ...about })
    else if (address) openComposer({ address, ...about })
  }
  const log = () => askToLog('call')
  const addTask = () => openForm({ form: 'task', ...task })
  const addDeal = () => openForm({ form: 'deal', ...deal })
  useShortcut(recordShortcuts.call, () => link.current?.click())
  useShortcut(recordShortcuts.email, can(write))
  useShortcut(recordShortcuts.log, can(log))
  useShortcut(recordShortcuts.task, can(addTask))
  useShortcut(recordShortcuts.deal, can(deal ? addDeal : () => {}))
  const common = { disabled: isGone }
  return (
    <div className={classes.actions}>
      {call && phone && (
        <Button
          {...look(IconPhone, recordShortcuts.call, `Call ${phone}`)}
          component="a"
          href={call}
          data-number={phone}
          data-person={person}
          ref={link}
        >
          Call
        </Button>
      )}
      {(email || address) && (
        <Button
          {...common}
          {...look(IconMail, recordShortcuts.email)}
          {...opens(WriteEmail, write)}
          aria-haspopup="dialog"
        >
          Email
        </Button>
      )}
      <Button {...common} {...look(IconPhoneCheck, recordShortcuts.log)} onClick={log}>
        Log call
      </Button>
      <Button
        {...common}
        {...look(IconChecklist, recordShortcuts.task)}
        aria-haspopup="dialog"
        onClick={addTask}
      >
        Task
      </Button>
      {deal && (
        <Button
          {...common}
          {...look(IconCurrencyDollar, recordShortcuts.deal)}
          aria-haspopup="dialog"
          onClick={addDeal}
        >
          Deal
        </Button>
      )}
    </div>
  )
}

/** Keeps their place while the record loads. */
export function QuickActionsSkeleton() {
  return (
    <div className={classes.actions} aria-hidden>
      <Skeleton className={classes.waiting ?? ''} />
    </div>
  )
}

function look(ActionIcon: Icon, shortcut: Shortcut, does = shortcut.does) {
  return {
    variant: 'default',
    classNames: {
      root: classes.action ?? '',
      inner: classes.inner ?? '',
      section: classes.icon ?? '',
      label: classes.label ?? '',
    },
    leftSection: <ActionIcon size={16} stroke={1.5} aria-hidden />,
    title: `${does} (${shortcut.keys.map((key) => keyCaps(key).join('+')).join()})`,
    'aria-keyshortcuts': ariaKeys(shortcut),
  } satisfies ComponentPropsWithoutRef<typeof Button>
}
