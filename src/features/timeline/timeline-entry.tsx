import {
  type Icon,
  IconCalendarEvent,
  IconMail,
  IconNote,
  IconPhone,
  IconSend,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { clipped } from '#domain/change-values.ts'
import { changeWords } from '#domain/change-words.ts'
import { shownMoment } from '#domain/dates.ts'
import { localTimeOf } from '#domain/local-time.ts'
import { type Origin, tableOf } from '#domain/timeline.ts'
import { UndoEntry } from '#features/history/index.ts'
import { ConversationDrawer } from '#features/mail/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { opens } from '#ui/lazy-part.tsx'
import { changeIcon } from './change-icon.ts'
import { MailCard } from './mail-card.tsx'
import { NoteCard } from './note-card.tsx'
import { NoteForm } from './note-form.tsx'
import { OriginLink, pageOf } from './origin-link.tsx'
import type { Entry, Subject, TimelineSource } from './queries.ts'
import classes from './timeline.module.css'

type TimelineEntryProps = {
  entry: Entry
  /** Its form is open; only a note has one. */
  isEdited: boolean
  onEdit: (entry: Entry, isEdited: boolean) => void
  source: TimelineSource
  subject: Subject
}

export function TimelineEntry({ entry, subject, ...rest }: TimelineEntryProps) {
  if (entry.kind === 'note') return <NoteEntry entry={entry} subject={subject} {...rest} />
  if (entry.kind === 'mail') return <MailEntry entry={entry} />
  return <ChangeEntry entry={entry} subject={subject} />
}

type ChangeEntryProps = { entry: Entry & { kind: 'change' }; subject: Subject }

function ChangeEntry({ entry, subject }: ChangeEntryProps) {
  const timeZone = useTimeZone()
  const page = { table: tableOf(subject.record), id: subject.id }
  const { origin, row_id, label, by, batch } = entry
  // If the entry changes the record that it comes from, the name in the sentence is the link to that record.
  const isNamed = origin?.id === row_id && label !== null
  return (
    <>
      <Mark icon={changeIcon(entry)} />
      <div className={classes.change}>
        <div className={classes.words}>
          {changeWords(entry, { timeZone, page }).map((words, line) => (
            <div key={words}>
              {by && line === 0 && <bdi>{by} · </bdi>}
              {origin && isNamed ? <Named words={words} name={label} origin={origin} /> : words}
              {origin && !isNamed && line === 0 && (
                <>
                  {' '}
                  <OriginLink origin={origin} kind="change" />
                </>
              )}
            </div>
          ))}
        </div>
        {by && batch && entry.undoes === null && <UndoEntry batch={batch} what={by} />}
        <Time at={entry.at} />
      </div>
    </>
  )
}

type NamedProps = { words: string; name: string; origin: Origin }

/** A sentence in which the name of its record leads there. */
function Named({ words, name, origin }: NamedProps) {
  const [before, ...rest] = words.split(`“${clipped(name)}”`)
  if (rest.length === 0) return words
  return (
    <>
      {before}“
      <Link to={pageOf(origin)} className={classes.named}>
        {clipped(name)}
      </Link>
      ”{rest.join(`“${clipped(name)}”`)}
    </>
  )
}

const noteIcons: Record<string, Icon> = {
  note: IconNote,
  call: IconPhone,
  meeting: IconCalendarEvent,
  email: IconMail,
}

type NoteEntryProps = TimelineEntryProps & { entry: Entry & { kind: 'note' } }

function NoteEntry({ entry, isEdited, onEdit, source, subject }: NoteEntryProps) {
  const { note, origin, isPending = false } = entry
  const stop = () => onEdit(entry, false)
  return (
    <>
      <Mark icon={noteIcons[note.kind] ?? IconNote} isStrong />
      <div className={classes.note}>
        {isEdited ? (
          <NoteForm source={source} subject={subject} note={note} onDone={stop} onCancel={stop} />
        ) : (
          <NoteCard
            note={note}
            origin={origin}
            by={entry.by}
            isPending={isPending}
            source={source}
            subject={subject}
            time={<Time at={note.happened_at} />}
            onEdit={() => onEdit(entry, true)}
          />
        )}
      </div>
    </>
  )
}

function MailEntry({ entry }: { entry: Entry & { kind: 'mail' } }) {
  const { mail, origin } = entry
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Mark icon={mail.direction === 'out' ? IconSend : IconMail} isStrong />
      <div className={classes.note}>
        <MailCard
          mail={mail}
          origin={origin}
          time={<Time at={entry.at} />}
          open={opens(ConversationDrawer, () => setIsOpen(true))}
        />
      </div>
      {isOpen && <ConversationDrawer thread={mail.thread} onClose={() => setIsOpen(false)} />}
    </>
  )
}

type MarkProps = { icon: Icon; isStrong?: boolean }

function Mark({ icon: EntryIcon, isStrong = false }: MarkProps) {
  return (
    <span className={classes.mark} data-strong={isStrong || undefined} aria-hidden>
      <EntryIcon size={14} stroke={1.5} />
    </span>
  )
}

function Time({ at }: { at: string }) {
  const timeZone = useTimeZone()
  return (
    <time className={classes.time} dateTime={at} title={shownMoment(at, timeZone)}>
      {localTimeOf(at, timeZone).slice(11)}
    </time>
  )
}
