import { Button } from '@mantine/core'
import { useRef } from 'react'
import { nounOf } from '#domain/change-words.ts'
import { counted } from '#domain/counted.ts'
import { dayHeading } from '#domain/day-heading.ts'
import { shownNumber } from '#domain/figures.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { grouped } from '#lib/grouped.ts'
import { useNow } from '#lib/use-now.ts'
import { DaySection, LineSurface, Lines } from '#ui/day-lines.tsx'
import { useListKeys } from '#ui/list-keys.ts'
import type { TrashRow } from './queries.ts'
import classes from './trash.module.css'
import { TrashLine } from './trash-line.tsx'

type Actions = {
  onRestore: (row: TrashRow) => void
  /** Restores everything of the same deletion. */
  onRestoreAll: (row: TrashRow) => void
  onRemove: (row: TrashRow) => void
}

type TrashListProps = Actions & { rows: TrashRow[] }

/** The trash, grouped by day and deletion. */
export function TrashList({ rows, ...actions }: TrashListProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const days = grouped(rows, ({ deleted_at }) => dayHeading(deleted_at, now, timeZone))
  const element = useRef<HTMLDivElement>(null)
  const { rowProps } = useListKeys({ element, rows, keys: { onRemove: actions.onRemove } })
  return (
    <div ref={element}>
      {days.map(([day, deleted]) => (
        <DaySection key={day} day={day}>
          <LineSurface>
            {grouped(deleted, ({ batch }) => batch).map(([batch, together]) => (
              <Deletion key={batch} rows={together} rowProps={rowProps} {...actions} />
            ))}
          </LineSurface>
        </DaySection>
      ))}
    </div>
  )
}

type DeletionProps = TrashListProps & { rowProps: (id: string) => Record<string, unknown> }

function Deletion({ rows, rowProps, onRestore, onRestoreAll, onRemove }: DeletionProps) {
  const [first] = rows
  if (!first) return null
  return (
    <div>
      {first.together > 1 && (
        <div className={classes.together}>
          <span>{deletedTogether(rows, first.together)}</span>
          <Button variant="subtle" px={10} onClick={() => onRestoreAll(first)}>
            Restore all {shownNumber(first.together)}
          </Button>
        </div>
      )}
      <Lines>
        {rows.map((row) => (
          <TrashLine
            key={row.id}
            row={row}
            rowProps={rowProps(row.id)}
            onRestore={() => onRestore(row)}
            onRemove={() => onRemove(row)}
          />
        ))}
      </Lines>
    </div>
  )
}

/** '12 contacts deleted together', or records where they are not of one kind. */
function deletedTogether(rows: TrashRow[], count: number): string {
  const kinds = new Set(rows.map(({ kind }) => kind))
  const [kind = ''] = kinds
  const { one, many } = nounOf(kinds.size === 1 ? kind : '')
  return `${counted(count, one, many)} deleted together`
}
