import { UnstyledButton } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { mailTitle } from '#domain/mail.ts'
import type { Origin } from '#domain/timeline.ts'
import { OriginLink, pageOf } from './origin-link.tsx'
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
          <Who mail={mail} origin={origin} />
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

/** Who wrote to whom, and whose mail it is: said once where that is the same person. */
function Who({ mail, origin }: Pick<MailCardProps, 'mail' | 'origin'>) {
  const title = mailTitle(mail)
  const isNamed = origin?.record === 'contact' && title.includes(origin.name)
  const writer = mail.direction === 'in' ? (mail.sender_name ?? mail.sender ?? '') : ''
  const name = isNamed ? origin.name : writer
  const at = title.indexOf(name)
  return (
    <>
      {title.slice(0, at)}
      {isNamed ? (
        <span className={classes.origin}>
          <Link to={pageOf(origin)}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ) : (
        name && <bdi>{name}</bdi>
      )}
      <bdi>{title.slice(at + name.length)}</bdi>
      {origin && !isNamed && (
        <>
          {' '}
          <OriginLink origin={origin} kind="email" />
        </>
      )}
    </>
  )
}
