import { type Icon, IconCalendarEvent, IconMail, IconNote, IconPhone } from '@tabler/icons-react'
import { useState } from 'react'
import { changeWords } from '#domain/change-words.ts'
import { shownMoment } from '#domain/dates.ts'
import { localTimeOf } from '#domain/local-time.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { changeIcon } from './change-icon.ts'
import { NoteCard } from './note-card.tsx'
import { NoteForm } from './note-form.tsx'
import type { Entry, Subject, TimelineSource } from './queries.ts'
import classes from './timeline.module.css'

type TimelineEntryProps = { entry: Entry; source: TimelineSource; subject: Subject }

const tables = { contact: 'contacts', company: 'companies', deal: 'deals' }

export function TimelineEntry({ entry, source, subject }: TimelineEntryProps) {
  const timeZone = useTimeZone()
  if (entry.kind === 'note') return <NoteEntry entry={entry} source={source} subject={subject} />
  const page = { table: tables[subject.record], id: subject.id }
  const ChangeIcon = changeIcon(entry)
  return (
    <>
      <Mark icon={ChangeIcon} />
      <div className={classes.change}>
        <div className={classes.words}>
          {changeWords(entry, { timeZone, page }).map((words) => (
            <div key={words}>{words}</div>
          ))}
        </div>
        <Time at={entry.at} />
      </div>
    </>
  )
}

const noteIcons: Record<string, Icon> = {
  note: IconNote,
  call: IconPhone,
  meeting: IconCalendarEvent,
  email: IconMail,
}

type NoteEntryProps = {
  entry: Entry & { kind: 'note' }
  source: TimelineSource
  subject: Subject
}

function NoteEntry({ entry, source, subject }: NoteEntryProps) {
  const { note, isPending = false } = entry
  const [isEdited, setIsEdited] = useState(false)
  const stop = () => setIsEdited(false)
  return (
    <>
      <Mark icon={noteIcons[note.kind] ?? IconNote} isStrong />
      <div className={classes.note}>
        {isEdited ? (
          <NoteForm source={source} subject={subject} note={note} onDone={stop} onCancel={stop} />
        ) : (
          <NoteCard
            note={note}
            isPending={isPending}
            source={source}
            time={<Time at={note.happened_at} />}
            onEdit={() => setIsEdited(true)}
          />
        )}
      </div>
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
