import { Anchor, Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { fromNow } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { hasOwnServer } from '#lib/server-call.ts'
import { useNow } from '#lib/use-now.ts'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { Panel, PanelNote, PanelRow } from '#ui/panel.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import { AgendaPanel } from './agenda/agenda-panel.tsx'
import classes from './mail.module.css'
import {
  type MailAccount,
  useAddExclusion,
  useDeclineSuggestion,
  useExclusions,
  useMailAccounts,
  useMailState,
  usePauseAccount,
  useRemoveExclusion,
  useSuggestions,
  useTakeSuggestion,
} from './queries.ts'

const AccountDialog = openedPart(async () => (await import('./account-dialog.tsx')).AccountDialog)
const RemoveDialog = openedPart(async () => (await import('./remove-dialog.tsx')).RemoveDialog)
const SendingDialog = openedPart(async () => (await import('./sending-dialog.tsx')).SendingDialog)

/** The accounts for mail, whom the user writes to, and what is left out. */
export function MailPage() {
  const [isOffered] = useState(hasOwnServer)
  const [isAdding, setIsAdding] = useState(false)
  const { data: state } = useMailState()
  const canAdd = isOffered && state?.isReady === true
  return (
    <>
      <PanelScreen
        title="Email"
        subtitle="Emails to and from your contacts are on their timelines"
        back={{ label: 'Settings', to: '/app/settings' }}
        actions={
          canAdd && (
            <Button
              leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
              onClick={() => setIsAdding(true)}
            >
              Connect mailbox
            </Button>
          )
        }
      >
        <Panel
          title="Your mailboxes"
          text="Opened read-only: nothing is moved, deleted or marked as read. Only emails from or to people you know are kept."
        >
          {state?.isReady === false && (
            <PanelNote>
              Passwords can’t be stored yet. Ask your administrator to set MAIL_KEY, which a shared
              database needs.
            </PanelNote>
          )}
          <Accounts />
        </Panel>
        <AgendaPanel isOffered={isOffered ? state?.hasAgenda : false} />
        <Suggestions />
        <Panel
          title="Excluded"
          text="Emails with these contacts, addresses and domains are never kept, and those already here are deleted. Remove an entry to read its emails again."
        >
          <Exclusions />
        </Panel>
      </PanelScreen>
      {isAdding && <AccountDialog account={null} onClose={() => setIsAdding(false)} />}
    </>
  )
}

function Accounts() {
  const { data: accounts, error, refetch } = useMailAccounts()
  if (error && !accounts) {
    return (
      <ErrorState
        title="Your mailboxes could not be loaded"
        message={errorMessage(error)}
        onRetry={refetch}
      />
    )
  }
  if (!accounts) return <LoadingState text="Loading mailboxes..." />
  if (accounts.length === 0) {
    return (
      <PanelNote>
        No mailbox yet. Connect one, and what you and your contacts write to each other is there
        when you need it.
      </PanelNote>
    )
  }
  return accounts.map((account) => <AccountRow key={account.id} account={account} />)
}

function AccountRow({ account }: { account: MailAccount }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const pause = usePauseAccount()
  const [open, setOpen] = useState<'edit' | 'remove' | 'sending' | null>(null)
  const { id, address, state, problem, last_read_at, is_paused } = account
  const badge = badges[is_paused ? 'paused' : state]
  const read = last_read_at ? `Last read ${fromNow(last_read_at, now, timeZone)}` : 'Not read yet'
  return (
    <>
      <PanelRow
        title={<bdi>{address}</bdi>}
        badge={<TintBadge color={badge.color}>{badge.words}</TintBadge>}
        text={
          !is_paused && (state === 'failed' || state === 'locked') ? (
            <span className={classes.problem}>{problem ?? 'Enter the password.'}</span>
          ) : (
            <>
              {read}
              {!is_paused && problem && <div>{problem}</div>}
            </>
          )
        }
      >
        <Button
          variant="default"
          aria-label={`${is_paused ? 'Resume' : 'Pause'} ${address}`}
          onClick={() => pause.mutate({ id, is_paused: !is_paused })}
          loading={pause.isPending}
        >
          {is_paused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          variant="default"
          aria-label={`${state === 'locked' ? 'Enter password' : 'Edit'}: ${address}`}
          onClick={() => setOpen('edit')}
        >
          {state === 'locked' ? 'Enter password' : 'Edit'}
        </Button>
        {account.smtp_host && (
          <Button
            variant="default"
            aria-label={`Signature of ${address}`}
            {...opens(SendingDialog, () => setOpen('sending'))}
          >
            Signature
          </Button>
        )}
        <Button
          variant="default"
          aria-label={`Remove ${address}`}
          onClick={() => setOpen('remove')}
        >
          Remove
        </Button>
      </PanelRow>
      {open === 'edit' && <AccountDialog account={account} onClose={() => setOpen(null)} />}
      {open === 'sending' && <SendingDialog account={account} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog account={account} onClose={() => setOpen(null)} />}
    </>
  )
}

const badges = {
  new: { color: 'blue', words: 'Reading…' },
  working: { color: 'green', words: 'Connected' },
  failed: { color: 'red', words: 'Not connected' },
  locked: { color: 'orange', words: 'Password needed' },
  paused: { color: 'gray', words: 'Paused' },
} as const

function Suggestions() {
  const { data: people } = useSuggestions()
  const take = useTakeSuggestion()
  const decline = useDeclineSuggestion()
  if (!people || people.length === 0) return null
  return (
    <Panel
      title="People you write to"
      text="You wrote to them at least twice. Add them as contacts?"
    >
      {people.map(({ address, name }) => (
        <PanelRow key={address} title={<bdi>{name ?? address}</bdi>} text={name ? address : null}>
          <Button
            variant="default"
            loading={take.isPending && take.variables.address === address}
            onClick={() => take.mutate({ address, name })}
          >
            Add contact
          </Button>
          <Button variant="subtle" color="gray" onClick={() => decline.mutate(address)}>
            Never
          </Button>
        </PanelRow>
      ))}
    </Panel>
  )
}

function Exclusions() {
  const { data: list, error, refetch } = useExclusions()
  const add = useAddExclusion()
  const remove = useRemoveExclusion()
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  useLeaveQuestion(value.trim() !== '')
  function submit(event: FormEvent): void {
    event.preventDefault()
    const typed = value.trim().toLowerCase().replace(/^@/, '')
    if (!/^([^\s@]+@)?[^\s@.]+(\.[^\s@.]+)+$/.test(typed)) {
      setProblem('Enter an address or a domain, such as acme.com.')
      return
    }
    // What is typed meanwhile stays.
    add.mutate(typed, { onSuccess: () => setValue((now) => (now === value ? '' : now)) })
  }
  if (error && !list) {
    return (
      <ErrorState
        title="The list could not be loaded"
        message={errorMessage(error)}
        onRetry={refetch}
      />
    )
  }
  return (
    <>
      <form className={classes.add} onSubmit={submit} noValidate>
        <TextInput
          flex={1}
          aria-label="Address or domain"
          placeholder="someone@example.com or example.com"
          value={value}
          error={problem}
          onChange={(event) => {
            setValue(event.currentTarget.value)
            setProblem(null)
          }}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          Exclude
        </Button>
      </form>
      {list?.map(({ id, value, contact }) => {
        const name = contact ? contactName(contact) : value
        return (
          <PanelRow
            key={id}
            title={
              contact ? (
                <Anchor component={Link} to={`/app/contacts/${contact.id}`}>
                  <bdi>{name}</bdi>
                </Anchor>
              ) : (
                <bdi>{name}</bdi>
              )
            }
            badge={contact && <TintBadge color="gray">Private contact</TintBadge>}
          >
            <Button
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name}`}
              onClick={() => remove.mutate(id)}
            >
              Remove
            </Button>
          </PanelRow>
        )
      })}
    </>
  )
}
