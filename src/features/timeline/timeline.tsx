import { Skeleton, Text, Title } from '@mantine/core'
import { memo, useMemo } from 'react'
import { useTimeZone } from '#features/preferences/index.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { DaySection } from '#ui/day-lines.tsx'
import { ListBody } from '#ui/list-body.tsx'
import { NearEnd } from '#ui/near-end.tsx'
import { EmptyState } from '#ui/states.tsx'
import { Composer, ComposerSkeleton } from './composer.tsx'
import { daysOf } from './days-of.ts'
import { type Entry, type Subject, timelineOf, useNewEntries, wholeTimeline } from './queries.ts'
import classes from './timeline.module.css'
import { TimelineEntry } from './timeline-entry.tsx'

type TimelineProps = Subject & {
  /** Whether the record exists: until then no note can be typed. */
  isKnown: boolean
}

/** The timeline of a record, newest first, with the form for new notes. */
export function Timeline({ record, id, isKnown }: TimelineProps) {
  const subject = useMemo(() => ({ record, id }), [record, id])
  const source = useMemo(() => timelineOf(subject), [subject])
  return (
    <section aria-label="Timeline">
      <Title order={2} className={classes.title ?? ''}>
        Timeline
      </Title>
      {isKnown ? <Composer source={source} subject={subject} /> : <ComposerSkeleton />}
      <Entries source={source} subject={subject} />
    </section>
  )
}

type EntriesProps = { source: ReturnType<typeof timelineOf>; subject: Subject }

function Entries({ source, subject }: EntriesProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const list = useList(source, wholeTimeline)
  useNewEntries(source)
  return (
    <ListBody
      list={list}
      name="timeline"
      nextName="earlier entries"
      skeleton={<EntriesSkeleton />}
      empty={<EmptyState title="Nothing yet" hint="What happens and what you note will be here." />}
    >
      {daysOf(list.rows, now, timeZone).map(({ day, heading, entries }) => (
        <DaySection key={day} day={heading} order={3}>
          <ol className={classes.entries}>
            {entries.map((entry) => (
              <Item key={entry.id} entry={entry} source={source} subject={subject} />
            ))}
          </ol>
        </DaySection>
      ))}
      <NearEnd onNear={list.more.load} />
    </ListBody>
  )
}

type ItemProps = EntriesProps & { entry: Entry }

// Memoised: a change to one entry or the composer must not render a thousand others.
const Item = memo(function Item({ entry, source, subject }: ItemProps) {
  return (
    <li className={classes.entry}>
      <TimelineEntry entry={entry} source={source} subject={subject} />
    </li>
  )
})

const skeletons = [320, 240, 380, 280]

function EntriesSkeleton() {
  return (
    <div role="status">
      <Text size="sm" c="dimmed" mb="sm">
        Loading timeline...
      </Text>
      {skeletons.map((width) => (
        <Skeleton key={width} height={16} maw={width} mb={16} aria-hidden />
      ))}
    </div>
  )
}
