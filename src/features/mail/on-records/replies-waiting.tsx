import { Button } from '@mantine/core'
import { useState } from 'react'
import { fromNow } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { conversationParam } from '../conversation-param.ts'
import { useRepliesWaiting, type WaitingReply } from './queries.ts'

const few = 5

/** Who has written and waits for an answer; nothing where nobody does. */
export function RepliesWaiting() {
  const { data: replies } = useRepliesWaiting()
  const [isWhole, setIsWhole] = useState(false)
  if (!replies || replies.length === 0) return null
  const shown = (isWhole ? replies : replies.slice(0, few)).map((reply) => ({
    ...reply,
    id: reply.thread,
  }))
  return (
    <RecordSection title="Replies waiting" count={shownNumber(replies.length)}>
      <RecordLines rows={shown} renderLine={(reply) => <Line reply={reply} />} />
      {replies.length > shown.length && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setIsWhole(true)}>
          {`Show all ${shownNumber(replies.length)}`}
        </Button>
      )}
    </RecordSection>
  )
}

function Line({ reply }: { reply: WaitingReply }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const { sender, sender_name, subject, at, contact_id, thread } = reply
  return (
    <RecordLine
      name={sender_name ?? sender ?? 'Someone'}
      to={`/app/contacts/${contact_id}?${conversationParam}=${thread}`}
      about={
        <>
          {fromNow(at, now, timeZone)} · <bdi>{subject ?? 'No subject'}</bdi>
        </>
      }
    />
  )
}
