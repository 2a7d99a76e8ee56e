import { Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { hasOwnServer } from '#lib/server-call.ts'
import { NoticeSection } from '#ui/notice-section.tsx'
import { type MailAccount, useMailAccounts } from '../queries.ts'
import classes from './mailbox-trouble.module.css'

/** Mailboxes that can't be read or sent from just now. A paused one rests because its owner wants it. */
function useTroubled(): MailAccount[] {
  const { data = [] } = useMailAccounts()
  return data.filter(
    ({ state, is_paused }) => !is_paused && (state === 'failed' || state === 'locked'),
  )
}

type MailboxTroubleProps = { onLeave?: () => void }

/** What is wrong with the user's mailboxes, where mail is read and written, and the way to settle it. */
export function MailboxTrouble({ onLeave }: MailboxTroubleProps) {
  const accounts = useTroubled()
  if (accounts.length === 0) return null
  return (
    <ul className={classes.list}>
      {accounts.map(({ id, address, state, problem }) => (
        <li key={id} className={classes.trouble}>
          <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
          <span>
            {state === 'locked' ? (
              <>
                <bdi>{address}</bdi> needs its password.
              </>
            ) : (
              <>
                <bdi>{address}</bdi> isn’t connected. {problem}
              </>
            )}{' '}
            <Anchor
              component={Link}
              to="/app/settings/email"
              size="sm"
              {...(onLeave ? { onClick: onLeave } : {})}
            >
              Open email settings
            </Anchor>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The same among the notifications. */
export function MailboxNotice({ onLeave }: MailboxTroubleProps) {
  const [isOffered] = useState(hasOwnServer)
  return isOffered ? <Notice {...(onLeave ? { onLeave } : {})} /> : null
}

function Notice(props: MailboxTroubleProps) {
  if (useTroubled().length === 0) return null
  return (
    <NoticeSection title="Email" order={3}>
      <MailboxTrouble {...props} />
    </NoticeSection>
  )
}
