import { Button, Drawer, Menu, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconArrowBackUpDouble, IconDots, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { shownMoment } from '#domain/dates.ts'
import { shownSize } from '#domain/files.ts'
import { namesOf } from '#domain/mail.ts'
import { hasMoreRecipients } from '#domain/mail-addresses.ts'
import { openComposer, useComposer } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { useFocusAfterCover, useFocusBack } from '#ui/use-focus-back.ts'
import {
  type StoredMail,
  useConversation,
  useDownload,
  useMakePrivate,
} from './conversation/queries.ts'
import classes from './mail.module.css'
import { MailBody } from './mail-body.tsx'
import { useMailAccounts } from './queries.ts'

const AboutDealDialog = openedPart(
  async () => (await import('./about-deal-dialog.tsx')).AboutDealDialog,
)

type ConversationDrawerProps = { thread: string; onClose: () => void }

/** All mails of a conversation, the newest open. */
export function ConversationDrawer({ thread, onClose }: ConversationDrawerProps) {
  const { data: mails, error, refetch } = useConversation(thread)
  useFocusBack()
  const [isDealOpen, setIsDealOpen] = useState(false)
  // The answer is written over it.
  const isCovered = useComposer().request !== null || isDealOpen
  useFocusAfterCover(isCovered)
  const subject = mails?.[0]?.subject ?? (mails ? 'No subject' : 'Conversation')
  const deal = mails?.findLast((mail) => mail.deal)?.deal ?? null
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      position="right"
      size={720}
      title={<bdi>{subject}</bdi>}
    >
      {error && !mails ? (
        <ErrorState
          title="This conversation could not be loaded"
          message={errorMessage(error)}
          onRetry={refetch}
        />
      ) : mails ? (
        <Mails mails={mails} onDeal={() => setIsDealOpen(true)} />
      ) : (
        <LoadingState text="Loading conversation..." />
      )}
      {isDealOpen && (
        <AboutDealDialog thread={thread} deal={deal} onClose={() => setIsDealOpen(false)} />
      )}
    </Drawer>
  )
}

function Mails({ mails, onDeal }: { mails: StoredMail[]; onDeal: () => void }) {
  if (mails.length === 0) {
    return <div className={classes.none}>This conversation is no longer kept.</div>
  }
  return (
    <ol className={classes.mails}>
      {mails.map((mail, place) => (
        <li key={mail.id}>
          <OneMail mail={mail} isOpenFirst={place === mails.length - 1} onDeal={onDeal} />
        </li>
      ))}
    </ol>
  )
}

type OneMailProps = { mail: StoredMail; isOpenFirst: boolean; onDeal: () => void }

function OneMail({ mail, isOpenFirst, onDeal }: OneMailProps) {
  const timeZone = useTimeZone()
  const [isOpen, setIsOpen] = useState(isOpenFirst)
  const { direction, sender, sender_name, recipients, sent_at } = mail
  const who = direction === 'out' ? 'You' : (sender_name ?? sender ?? 'Someone')
  return (
    <article className={classes.mail} aria-label={`Email from ${who}`}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.about}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className={classes.who}>
            <bdi>{who}</bdi>
            {direction === 'in' && sender_name && <bdi className={classes.address}>{sender}</bdi>}
          </span>
          <span className={classes.to}>
            {recipients.length > 0 && <bdi>to {namesOf(recipients)} · </bdi>}
            {shownMoment(sent_at, timeZone)}
          </span>
        </UnstyledButton>
        <MailMenu mail={mail} onDeal={onDeal} />
      </div>
      {isOpen && (
        <>
          {mail.is_doubtful && (
            <div className={classes.doubt}>
              This sender may be forged. Your mail server couldn’t verify it. Don’t follow its
              links.
            </div>
          )}
          <MailBody mail={mail} />
          <Attachments mail={mail} />
          <Answers mail={mail} />
        </>
      )}
    </article>
  )
}

/** Answers whoever wrote, or all who saw it. */
function Answers({ mail }: { mail: StoredMail }) {
  const { data: accounts } = useMailAccounts()
  const own = accounts?.map(({ address }) => address) ?? []
  const answer = (isToAll: boolean) => () => openComposer({ answer: { mail, isToAll } })
  const icon = { size: 14, stroke: 1.5, 'aria-hidden': true }
  return (
    <div className={classes.answers}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconArrowBackUp {...icon} />}
        onClick={answer(false)}
      >
        Reply
      </Button>
      {hasMoreRecipients(mail, own) && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconArrowBackUpDouble {...icon} />}
          onClick={answer(true)}
        >
          Reply all
        </Button>
      )}
    </div>
  )
}

function MailMenu({ mail, onDeal }: { mail: StoredMail; onDeal: () => void }) {
  const makePrivate = useMakePrivate()
  async function ask(): Promise<void> {
    const isSure = await confirmAction({
      title: 'Make this email private?',
      body: 'Solo CRM deletes its copy for good and never reads it again. It stays in your mailbox.',
      confirm: 'Make private',
      isDangerous: true,
    })
    if (isSure) makePrivate.mutate([mail.id])
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" aria-label="More about this email">
          <IconDots size={16} stroke={1.5} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item {...opens(AboutDealDialog, onDeal)}>About deal…</Menu.Item>
        <Menu.Item onClick={ask}>Make private…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Attachments({ mail }: { mail: StoredMail }) {
  const download = useDownload()
  if (mail.attachments.length === 0) return null
  return (
    <ul className={classes.attachments} aria-label="Attachments">
      {mail.attachments.map(({ part, name, size }) => (
        <li key={part}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} stroke={1.5} aria-hidden />}
            loading={download.isPending && download.variables.part === part}
            onClick={() => download.mutate({ mail: mail.id, part, name })}
          >
            <bdi className={classes.fileName}>{name}</bdi>
            <span className={classes.size}>{shownSize(size)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
