import { Button, Title } from '@mantine/core'
import { type ComponentProps, memo, useCallback, useMemo, useState } from 'react'
import { runsOf, standsOut, type TimelineKind } from '#domain/timeline.ts'
import { useFilesOfNotes } from '#features/files/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { DaySection } from '#ui/day-lines.tsx'
import { ListBody } from '#ui/list-body.tsx'
import { NearEnd } from '#ui/near-end.tsx'
import { EmptyState } from '#ui/states.tsx'
import { Composer } from './composer.tsx'
import { daysOf } from './days-of.ts'
import { FoldLine } from './fold-line.tsx'
import {
  type Entry,
  newestFirst,
  pageSize,
  type Subject,
  type TimelineSource,
  timelineOf,
  timelineView,
  useNewEntries,
} from './queries.ts'
import classes from './timeline.module.css'
import { TimelineEntry } from './timeline-entry.tsx'
import { TimelineFilter, useTimelinePart } from './timeline-filter.tsx'
import { EntriesSkeleton } from './timeline-skeleton.tsx'

/** The story of a record, newest first, with the form for new notes. */
export function Timeline({ record, id }: Subject) {
  const subject = useMemo(() => ({ record, id }), [record, id])
  const source = useMemo(() => timelineOf(subject), [subject])
  const part = useTimelinePart()
  return (
    <section aria-label="Timeline">
      <div className={classes.top}>
        <Title order={2}>Timeline</Title>
        <TimelineFilter />
      </div>
      <Composer source={source} subject={subject} />
      <Entries source={source} subject={subject} kind={part?.kind ?? null} />
    </section>
  )
}

type EntriesProps = { source: TimelineSource; subject: Subject }

function Entries({ source, subject, kind }: EntriesProps & { kind: TimelineKind | null }) {
  const timeZone = useTimeZone()
  const now = useNow()
  const view = useMemo(() => timelineView(kind), [kind])
  const list = useList(source, view)
  useNewEntries(source, view)
  const attached = useFilesOfNotes(subject)
  // As they were when their forms were opened: what is typed stays, whatever becomes of the note elsewhere.
  const [edited, setEdited] = useState<Entry[]>([])
  const onEdit = useCallback(
    (entry: Entry, isEdited: boolean) =>
      setEdited((before) => [
        ...before.filter(({ id }) => id !== entry.id),
        ...(isEdited ? [entry] : []),
      ]),
    [],
  )
  const rows = useMemo(() => {
    if (edited.length === 0) return list.rows
    const others = list.rows.filter((row) => !edited.some(({ id }) => id === row.id))
    return [...others, ...edited].toSorted(newestFirst)
  }, [list.rows, edited])
  // The ids of the entries in unfolded runs, because a run has no id of its own and grows at both ends.
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const days = useMemo(
    () =>
      daysOf(
        kind === null ? rows.filter((entry) => !isOnNote(entry, attached)) : rows,
        now,
        timeZone,
      ).map(({ entries, ...day }) => ({
        ...day,
        runs: runsOf(entries, (entry) => kind === null && canFold(entry, subject.id)),
      })),
    [rows, now, timeZone, kind, subject.id, attached],
  )
  const isOpen = (run: Entry[]) => run.some(({ id }) => unfolded.has(id))
  const toggle = (run: Entry[]) =>
    setUnfolded((before) => {
      const ids = run.map(({ id }) => id)
      return new Set(
        isOpen(run) ? [...before].filter((id) => !ids.includes(id)) : [...before, ...ids],
      )
    })
  const last = days.at(-1)?.runs.at(-1)
  // A page that ends in a folded line adds nothing to scroll: thousands would be read at once.
  const isEndless =
    last !== undefined && 'folded' in last && last.folded.length >= pageSize && !isOpen(last.folded)
  return (
    <div data-outdated={list.isOutdated || undefined} className={classes.list}>
      <ListBody
        list={{ ...list, rows }}
        name="timeline"
        nextName="earlier entries"
        skeleton={<EntriesSkeleton />}
        empty={<NoEntries kind={kind} />}
      >
        {days.map(({ day, heading, runs }) => (
          <DaySection key={day} day={heading} order={3}>
            <ol className={classes.entries}>
              {runs.map((run) =>
                'entry' in run ? (
                  <Item
                    key={run.entry.id}
                    entry={run.entry}
                    isEdited={edited.includes(run.entry)}
                    onEdit={onEdit}
                    source={source}
                    subject={subject}
                  />
                ) : (
                  <Folded
                    key={run.folded.at(-1)?.id}
                    entries={run.folded}
                    isOpen={isOpen(run.folded)}
                    onToggle={() => toggle(run.folded)}
                    onEdit={onEdit}
                    source={source}
                    subject={subject}
                  />
                ),
              )}
            </ol>
          </DaySection>
        ))}
        {isEndless && list.more.canLoad && (
          <Button variant="default" mt={12} onClick={list.more.load}>
            Show earlier
          </Button>
        )}
        {!isEndless && <NearEnd onNear={list.more.load} />}
      </ListBody>
    </div>
  )
}

/** A file that was added with its note is shown there. */
function isOnNote(entry: Entry, attached: ReadonlySet<string>): boolean {
  if (entry.kind !== 'change' || entry.table_name !== 'files') return false
  return entry.verb === 'insert' && attached.has(entry.row_id)
}

/** Changes fold into one line, except those that stand out and the creation of the record itself. */
function canFold(entry: Entry, id: string): boolean {
  if (entry.kind !== 'change') return false
  const isBeginning = entry.verb === 'insert' && entry.row_id === id
  return !isBeginning && !standsOut(entry)
}

type FoldedProps = Pick<ItemProps, 'source' | 'subject' | 'onEdit'> & {
  entries: Entry[]
  isOpen: boolean
  onToggle: () => void
}

function Folded({ entries, isOpen, onToggle, ...rest }: FoldedProps) {
  return (
    <>
      <li className={classes.entry}>
        <FoldLine count={entries.length} isOpen={isOpen} onToggle={onToggle} />
      </li>
      {isOpen &&
        entries.map((entry) => <Item key={entry.id} entry={entry} isEdited={false} {...rest} />)}
    </>
  )
}

type ItemProps = ComponentProps<typeof TimelineEntry>

// Memoised: a change to one entry or the composer must not render a thousand others.
const Item = memo(function Item(props: ItemProps) {
  return (
    <li className={classes.entry}>
      <TimelineEntry {...props} />
    </li>
  )
})

const emptyTitles: Record<TimelineKind, string> = {
  call: 'No calls yet',
  meeting: 'No meetings yet',
  email: 'No emails yet',
  note: 'No notes yet',
  change: 'No changes yet',
}

function NoEntries({ kind }: { kind: TimelineKind | null }) {
  if (kind) return <EmptyState title={emptyTitles[kind]} hint="Choose All to see the rest." />
  return <EmptyState title="No activity yet" hint="Calls, emails, notes and changes appear here." />
}
