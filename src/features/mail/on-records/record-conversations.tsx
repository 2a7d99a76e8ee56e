import { Button, Group, Menu, Skeleton, Text } from '@mantine/core'
import { IconDots, IconPaperclip } from '@tabler/icons-react'
import { fromNow } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readProblem } from '#lib/errors.ts'
import { useNow } from '#lib/use-now.ts'
import { useOpenParam } from '#lib/use-open-param.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import { NoLines, RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import { SectionPlace } from '#ui/section-place.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { conversationParam } from '../conversation-param.ts'
import classes from '../mail.module.css'
import { MailboxTrouble } from '../trouble/mailbox-trouble.tsx'
import { type Conversation, type Subject, useConversations, useSetPrivate } from './queries.ts'

const ConversationDrawer = openedPart(
  async () => (await import('../conversation-drawer.tsx')).ConversationDrawer,
)

type RecordConversationsProps = { subject: Subject; name: string; isGone: boolean }

/** What was written to and from a customer, one line for each conversation. */
export function RecordConversations({ subject, name, isGone }: RecordConversationsProps) {
  const conversations = useConversations(subject)
  const opened = useOpenParam(conversationParam)
  const pages = conversations.data?.pages ?? []
  const rows = pages.flatMap((page) => page.rows.map((row) => ({ ...row, id: row.thread })))
  const isPrivate = pages[0]?.is_private ?? false
  const drawer = opened.id && <ConversationDrawer thread={opened.id} onClose={opened.close} />
  if (conversations.isAsking) return <SectionPlace />
  if (!conversations.isEnabled) return drawer
  return (
    <RecordSection
      title="Conversations"
      isLoading={conversations.isLoading}
      action={
        subject.record === 'contact' &&
        !isGone &&
        pages.length > 0 && <PrivateMenu id={subject.id} name={name} isPrivate={isPrivate} />
      }
    >
      <MailboxTrouble />
      {conversations.isPending && <Skeleton height={40} aria-hidden />}
      {conversations.isError && rows.length === 0 && (
        <Group justify="space-between" gap={8} wrap="nowrap">
          <Text size="sm" c="dimmed" role="alert">
            {readProblem(conversations.error)}
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => conversations.refetch()}>
            Try again
          </Button>
        </Group>
      )}
      {conversations.isSuccess && rows.length === 0 && (
        <NoLines>
          {isPrivate ? 'Private: no emails with this contact are kept.' : 'No emails yet'}
        </NoLines>
      )}
      {rows.length > 0 && (
        <RecordLines
          label="Conversations"
          rows={rows}
          renderLine={(row) => (
            <Line
              conversation={row}
              open={opens(ConversationDrawer, () => opened.open(row.thread))}
            />
          )}
        />
      )}
      {conversations.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-disabled={conversations.isFetchingNextPage}
          onClick={() => conversations.fetchNextPage()}
        >
          {conversations.isFetchingNextPage
            ? 'Loading conversations...'
            : 'Show earlier conversations'}
        </Button>
      )}
      {drawer}
    </RecordSection>
  )
}

function Line({ conversation, open }: { conversation: Conversation; open: object }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const { subject, people, mails, last_at, has_attachments, is_waiting } = conversation
  return (
    <RecordLine
      name={subject ?? 'No subject'}
      open={open}
      about={
        <>
          {fromNow(last_at, now, timeZone)}
          {mails > 1 && ` · ${shownNumber(mails)} emails`}
          {has_attachments && (
            <IconPaperclip
              size={12}
              stroke={1.5}
              role="img"
              aria-label="With attachments"
              className={classes.clip}
            />
          )}
          {people.length > 0 && (
            <>
              {' · '}
              <bdi>{people.slice(0, 2).join(', ')}</bdi>
              {people.length > 2 && ` +${people.length - 2}`}
            </>
          )}
        </>
      }
      badge={is_waiting && <TintBadge color="orange">Waiting</TintBadge>}
    />
  )
}

type PrivateMenuProps = { id: string; name: string; isPrivate: boolean }

function PrivateMenu({ id, name, isPrivate }: PrivateMenuProps) {
  const set = useSetPrivate(id)
  async function ask(): Promise<void> {
    const isSure = await confirmAction({
      title: `Keep emails with ${name} private?`,
      body: 'Solo CRM deletes its copies and reads no more of them. They stay in your mailbox, and you can allow them again.',
      confirm: 'Keep private',
      isDangerous: true,
    })
    if (isSure) set.mutate(true)
  }
  if (isPrivate) {
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        loading={set.isPending}
        onClick={() => set.mutate(false)}
      >
        Allow emails
      </Button>
    )
  }
  return (
    <MenuButton
      label={`Emails with ${name}`}
      title="Actions"
      icon={<IconDots size={16} stroke={1.5} aria-hidden />}
    >
      {(menu) => (
        <RowMenu {...menu}>
          <Menu.Item onClick={ask}>Keep emails private…</Menu.Item>
        </RowMenu>
      )}
    </MenuButton>
  )
}
