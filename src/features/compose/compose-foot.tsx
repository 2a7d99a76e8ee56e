import { Button, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { shownMoment } from '#domain/dates.ts'
import type { MailDraft } from '#domain/mail-draft.ts'
import type { MailAccount } from '#features/mail/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { savesOnKeys } from '#ui/form-keys.ts'
import classes from './composer.module.css'
import { SendLaterDialog } from './send-later-dialog.tsx'

type ComposeFootProps = {
  draft: MailDraft
  accounts: MailAccount[]
  /** The one that it leaves from. */
  account: MailAccount | undefined
  problem: string | null
  isOffline: boolean
  /** What is just being done; null while it is written. */
  state: string | null
  onSendAt: (sendAt: string | null) => void
  onCover: (isCovered: boolean) => void
  onCancel: () => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What is in the way of a mail, when it leaves and from where, and the buttons. */
export function ComposeFoot(props: ComposeFootProps) {
  const { draft, accounts, account, problem, isOffline, state } = props
  const { onSendAt, onCover, onCancel } = props
  const timeZone = useTimeZone()
  const [isPicking, setIsPicking] = useState(false)
  const isSending = state !== null
  return (
    <>
      <div className={classes.foot}>
        {(problem || isOffline) && (
          <Text size="sm" role="alert" className={classes.problem ?? ''}>
            {problem ?? 'You’re offline, so the email can’t be sent now. Your text stays here.'}
          </Text>
        )}
        {draft.sendAt && (
          <div className={classes.later}>
            <IconClock {...icon} />
            <span>Scheduled for {shownMoment(draft.sendAt, timeZone)}</span>
            <Button variant="subtle" size="compact-sm" onClick={() => onSendAt(null)}>
              Send now instead
            </Button>
          </div>
        )}
        {accounts.length === 1 && account && (
          <Text size="xs" c="dimmed" className={classes.from ?? ''} title={account.address}>
            From <bdi>{account.address}</bdi>
          </Text>
        )}
        <Button variant="default" onClick={onCancel} disabled={isSending}>
          Cancel
        </Button>
        <Button.Group className={classes.send ?? ''}>
          <Button
            type="submit"
            aria-disabled={isSending}
            data-saving={isSending || undefined}
            {...savesOnKeys}
          >
            {state ?? sendLabel(draft)}
          </Button>
          <Menu position="top-end" withinPortal={false} floatingStrategy="fixed" shadow="md">
            <Menu.Target>
              <Button px={8} aria-label="More ways to send" disabled={isSending}>
                <IconChevronDown {...icon} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconClock {...icon} />}
                onClick={() => {
                  setIsPicking(true)
                  onCover(true)
                }}
              >
                {draft.sendAt ? 'Change the time…' : 'Send later…'}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      </div>
      {isPicking && (
        <SendLaterDialog
          sendAt={draft.sendAt}
          onSet={onSendAt}
          onClose={() => {
            setIsPicking(false)
            onCover(false)
          }}
        />
      )}
    </>
  )
}

function sendLabel({ way, to, sendAt }: MailDraft): string {
  const what = way === 'each' && to.length > 1 ? ` ${counted(to.length, 'email')}` : ''
  return sendAt ? `Schedule${what}` : `Send${what}`
}
