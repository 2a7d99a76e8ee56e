import { UnstyledButton } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { mailTitle } from '#domain/mail.ts'
import type { Origin } from '#domain/timeline.ts'
import { OriginLink } from './origin-link.tsx'
import type { TimelineMail } from './queries.ts'
import classes from './timeline.module.css'

type MailCardProps = {
  mail: TimelineMail
  origin: Origin | null
  time: ReactNode
  /** For the button that opens the conversation. */
  open: object
}

/** A mail on a timeline: who wrote to whom, and how it begins. */
export function MailCard({ mail, origin, time, open }: MailCardProps) {
  return (
    <>
      <div className={classes.mailTop}>
        <span className={classes.mailWho}>
          <bdi>{mailTitle(mail)}</bdi>
          {origin && (
            <>
              {' '}
              <OriginLink origin={origin} kind="email" />
            </>
          )}
        </span>
        {time}
      </div>
      <UnstyledButton className={classes.mailOpen} {...open}>
        <span className={classes.mailSubject} dir="auto">
          {mail.subject ?? 'No subject'}
          {mail.attachments > 0 && (
            <IconPaperclip size={14} stroke={1.5} aria-label="With attachments" role="img" />
          )}
        </span>
        {mail.snippet && (
          <span className={classes.mailSnippet} dir="auto">
            {mail.snippet}
          </span>
        )}
      </UnstyledButton>
      {mail.is_doubtful && (
        <div className={classes.mailDoubt}>
          This sender may be forged. Your mail server couldn’t verify it.
        </div>
      )}
    </>
  )
}
