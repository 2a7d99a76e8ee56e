import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { emailTitle, type Origin } from '#domain/timeline.ts'
import { NoteFiles } from '#features/files/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { useWaitingState } from '#lib/waiting-writes.ts'
import { Clamped } from '#ui/clamped.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { OriginLink } from './origin-link.tsx'
import { type Note, type Subject, type TimelineSource, useDeleteNote } from './queries.ts'
import classes from './timeline.module.css'

const names: Record<string, string> = {
  note: 'Note',
  call: 'Call',
  meeting: 'Meeting',
  email: 'Email',
}

type NoteCardProps = {
  note: Note
  /** The record that it is on, where that is not the one of the page. */
  origin: Origin | null
  /** The access token that logged it. */
  by?: string | null | undefined
  isPending: boolean
  source: TimelineSource
  subject: Subject
  time: ReactNode
  onEdit: () => void
}

/** A note, call, meeting or e-mail with its actions. */
export function NoteCard({
  note,
  origin,
  by,
  isPending,
  source,
  subject,
  time,
  onEdit,
}: NoteCardProps) {
  const remove = useDeleteNote(source)
  const entry = `note ${note.id}`
  const isWaiting = useWaitingState(entry) !== null
  const { kind, body, outcome, minutes } = note
  const name = names[kind] ?? 'Note'
  // The app logged it: it cannot be edited.
  const isEmail = kind === 'email'
  const what = name.toLowerCase()
  return (
    <>
      <div className={classes.head}>
        <span className={classes.kind}>
          {by && <bdi>{by} · </bdi>}
          {isEmail ? emailTitle(outcome) : name}
        </span>
        {minutes !== null && <span className={classes.length}>{minutes} min</span>}
        {!isEmail && outcome && (
          <bdi className={classes.outcome} title={outcome}>
            {outcome}
          </bdi>
        )}
        {origin && <OriginLink origin={origin} kind={kind} />}
        <WaitingMark id={entry} isLong />
        <span className={classes.actions} hidden={isPending && !isWaiting}>
          {!isEmail && (
            <ActionIcon
              size="var(--solo-entry-action)"
              aria-label={`Edit ${what}`}
              title="Edit"
              onClick={onEdit}
            >
              <IconPencil size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          )}
          {/* What is on no server is taken back instead. */}
          <ActionIcon
            hidden={isPending}
            size="var(--solo-entry-action)"
            aria-label={`Delete ${what}`}
            title="Delete"
            // The mutation reports a failure and rolls back.
            onClick={() => remove(note).catch(() => {})}
          >
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </span>
        {time}
      </div>
      {body && (
        <div className={classes.body}>
          {isEmail ? (
            <bdi>{body}</bdi>
          ) : (
            <Clamped>
              <Markdown text={body} />
            </Clamped>
          )}
        </div>
      )}
      <NoteFiles subject={subject} note={note.id} />
    </>
  )
}
