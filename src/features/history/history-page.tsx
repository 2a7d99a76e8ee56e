import { useMemo, useRef } from 'react'
import { dayHeading } from '#domain/day-heading.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { grouped } from '#lib/grouped.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { DaySection, LineSurface, Lines, LinesSkeleton } from '#ui/day-lines.tsx'
import { ListBody, NoMatch } from '#ui/list-body.tsx'
import { useListKeys } from '#ui/list-keys.ts'
import { ListScreen } from '#ui/list-screen.tsx'
import { NearEnd } from '#ui/near-end.tsx'
import { EmptyState } from '#ui/states.tsx'
import { canUndo, HistoryLine } from './history-entry.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { historyUrlSchema, historyView } from './history-view.ts'
import { type HistoryEntry, historyList } from './queries.ts'

/** The history of the account, with Undo for each entry. */
export function HistoryPage() {
  const { state, setState, noticeFor } = useUrlState(historyUrlSchema)
  const timeZone = useTimeZone()
  const view = useMemo(() => historyView(state, timeZone), [state, timeZone])
  const list = useList(historyList, view)
  const isFiltered = Object.keys(view.filter).length > 0
  return (
    <ListScreen
      title="History"
      subtitle="Every change you made. Undo any of them."
      back={{ label: 'Settings', to: '/app/settings' }}
      toolbar={<HistoryFilters />}
      notice={noticeFor('The history')}
    >
      <ListBody
        list={list}
        name="history"
        nextName="earlier history"
        skeleton={<LinesSkeleton text="Loading history..." />}
        empty={
          isFiltered ? (
            <NoMatch
              title="Nothing found"
              hint="No changes match these filters."
              onClear={() => setState({ action: undefined, from: undefined, to: undefined })}
            />
          ) : (
            <EmptyState
              title="No changes yet"
              hint="Your changes appear here, and you can undo them."
            />
          )
        }
      >
        <Days entries={list.rows} timeZone={timeZone} />
        <NearEnd onNear={list.more.load} />
      </ListBody>
    </ListScreen>
  )
}

function Days({ entries, timeZone }: { entries: HistoryEntry[]; timeZone: string }) {
  const now = useNow()
  const element = useRef<HTMLDivElement>(null)
  // The keys move between entries that can be undone.
  const { rowProps } = useListKeys({ element, rows: entries.filter(canUndo), keys: {} })
  return (
    <div ref={element}>
      {grouped(entries, ({ at }) => dayHeading(at, now, timeZone)).map(([day, done]) => (
        <DaySection key={day} day={day}>
          <LineSurface>
            <Lines>
              {done.map((entry) => (
                <HistoryLine
                  key={entry.id}
                  entry={entry}
                  rowProps={canUndo(entry) ? rowProps(entry.id) : {}}
                />
              ))}
            </Lines>
          </LineSurface>
        </DaySection>
      ))}
    </div>
  )
}
