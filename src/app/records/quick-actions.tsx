import { Button, Skeleton } from '@mantine/core'
import {
  type Icon,
  IconChecklist,
  IconCurrencyDollar,
  IconMail,
  IconPhone,
  IconPhoneCheck,
} from '@tabler/icons-react'
import { type ComponentPropsWithoutRef, type ComponentPropsWithRef, useRef } from 'react'
import { phoneLink } from '#domain/contact.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { WriteEmail } from '#features/compose/index.ts'
import { type Linked, type MailSubject, openComposer, openForm } from '#features/forms/index.ts'
import { askToLog } from '#features/timeline/index.ts'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { recordShortcuts } from '#ui/record-shortcuts.ts'
import { ariaKeys, keyCaps, type Shortcut, useShortcut } from '#ui/shortcut.ts'
import { Unfolding } from '#ui/unfolding.tsx'
import classes from './quick-actions.module.css'

type Links = { contact?: Linked; company?: Linked; deal?: Linked }

/** Whom the actions of a record reach, and what new records are linked to. */
export type QuickTargets = {
  phone: string | null
  /** The name of the contact who has the number, if it is not the record's own. */
  person?: string | undefined
  /** Null where there is nobody to write to. */
  email: { filter: ContactFilter; count: number } | null
  /** Its own addresses. */
  addresses?: string[]
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

const EmailChoices = openedPart(async () => (await import('./email-choices.tsx')).EmailChoices)

/** Call, write, log, plan, sell: what is done most often with a record. */
export function QuickActions({ targets, subject, isGone }: QuickActionsProps) {
  const { phone, person, task, deal } = targets
  const call = phone ? phoneLink(phone) : null
  const link = useRef<HTMLAnchorElement>(null)
  const can = (run: () => void) => () => {
    if (!isGone) run()
  }
  const log = () => askToLog('call')
  const addTask = () => openForm({ form: 'task', ...task })
  const addDeal = () => openForm({ form: 'deal', ...deal })
  useShortcut(recordShortcuts.call, () => link.current?.click())
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
      <Email targets={targets} subject={subject} isGone={isGone} />
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

/** Writes at once where there is one choice of whom to write to; otherwise asks. */
function Email({ targets, subject, isGone }: QuickActionsProps) {
  const { email, addresses = [] } = targets
  const about = subject ? { subject } : {}
  const toContacts = () => email && openComposer({ contacts: email, ...about })
  const toAddress = (address: string) => openComposer({ address, ...about })
  const [address] = addresses
  if (addresses.length + (email ? 1 : 0) < 2) {
    const write = () => (email ? toContacts() : address && toAddress(address))
    return (email || address) && <EmailButton isGone={isGone} button={opens(WriteEmail, write)} />
  }
  return (
    <Unfolding
      popup="menu"
      parts={[EmailChoices, WriteEmail]}
      className={classes.unfolding}
      button={(button) => <EmailButton isGone={isGone} button={button} />}
    >
      {(onClose) => (
        <EmailChoices
          label="Email"
          addresses={addresses}
          contacts={email?.count ?? 0}
          onAddress={toAddress}
          onContacts={toContacts}
          onClose={onClose}
        />
      )}
    </Unfolding>
  )
}

type EmailButtonProps = {
  isGone: boolean
  button: ComponentPropsWithRef<'button'> & { onClick: () => void }
}

function EmailButton({ isGone, button }: EmailButtonProps) {
  useShortcut(recordShortcuts.email, () => {
    if (!isGone) button.onClick()
  })
  return (
    <Button
      disabled={isGone}
      {...look(IconMail, recordShortcuts.email)}
      aria-haspopup="dialog"
      {...button}
    >
      Email
    </Button>
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
