import { Anchor, Box, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { shownNumber } from '#domain/figures.ts'
import type { ImportKind } from '#domain/import-headers.ts'
import type { PlannedField } from '#domain/import-own.ts'
import {
  behindInWords,
  changesInWords,
  dealDifferences,
  dealInWords,
  importRemarks,
  type RowOutcome,
} from '#domain/import-remarks.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useList } from '#lib/use-list.ts'
import { DataTableSkeleton } from '#ui/data-table-skeleton.tsx'
import { ListBody } from '#ui/list-body.tsx'
import { useScrollerRows } from '#ui/virtual-rows.ts'
import classes from './imports.module.css'
import { type CheckedRow, checkedRows, type Duplicates, type Found } from './queries.ts'

type CheckedRowsProps = {
  importId: string
  kind: ImportKind
  isCards: boolean
  /** The fields of the user's own, with those that the import makes. */
  own: PlannedField[]
  /** What becomes of these rows. */
  outcome: RowOutcome
  found: (keyof Found)[]
  duplicates: Duplicates
  /** What to say when there are none. */
  empty: string
  isEmpty: boolean
}

/** The rows of the file with the result of the check. */
export function CheckedRows(props: CheckedRowsProps) {
  if (props.isEmpty) {
    return (
      <Text size="sm" c="dimmed" py="md">
        {props.empty}
      </Text>
    )
  }
  return <Rows {...props} />
}

function Rows({ importId, kind, isCards, own, outcome, found, duplicates }: CheckedRowsProps) {
  const view = useMemo(
    () => ({ filter: { import: importId, found, duplicates }, sort: 'place', descending: false }),
    [importId, found, duplicates],
  )
  const list = useList(checkedRows, view)
  return (
    <ListBody
      list={list}
      name="rows"
      skeleton={<DataTableSkeleton text="Loading rows..." foot={24} />}
      empty={null}
      hidesLoading
    >
      <RowList
        rows={list.rows}
        kind={kind}
        isCards={isCards}
        own={own}
        outcome={outcome}
        placeKey={found.join()}
        onNearEnd={list.more.load}
      />
    </ListBody>
  )
}

type RowListProps = {
  rows: CheckedRow[]
  kind: ImportKind
  isCards: boolean
  own: PlannedField[]
  outcome: RowOutcome
  placeKey: string
  onNearEnd: () => void
}

function RowList(props: RowListProps) {
  const { rows, kind, isCards, own, outcome, placeKey, onNearEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const rowHeight = isNarrow ? 60 : 44
  // A row with remarks is higher.
  const each = useMemo(
    () => ({
      heightOf: () => rowHeight,
      keyOf: (index: number) => rows[index]?.id ?? String(index),
    }),
    [rows, rowHeight],
  )
  const {
    rows: { measureElement },
    shown,
    height,
    focusListeners,
  } = useScrollerRows({
    count: rows.length,
    rowHeight,
    each,
    maxRows: 60,
    scroller,
    placeKey: `import ${placeKey}`,
    onNearEnd,
  })
  return (
    <Box
      component="section"
      ref={scroller}
      className={classes.rows ?? ''}
      // Focusable, so that the keyboard can scroll it.
      tabIndex={0}
      aria-label="Rows of the file"
      {...focusListeners}
    >
      <ul className={classes.list} style={{ height }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <li
                key={row.id}
                ref={measureElement}
                className={classes.row}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={classes.place}>{placeInWords(row.place, isCards)}</span>
                <RowText row={row} kind={kind} />
                <RowRemarks row={row} kind={kind} own={own} outcome={outcome} />
              </li>
            )
          )
        })}
      </ul>
    </Box>
  )
}

/** Cards have no header; what is made of them has one in its first row. */
function placeInWords(place: number, isCards: boolean): string {
  return isCards ? `Card ${shownNumber(place - 1)}` : `Row ${shownNumber(place)}`
}

type RowRemarksProps = {
  row: CheckedRow
  kind: ImportKind
  own: PlannedField[]
  outcome: RowOutcome
}

/** The reason for the outcome of a row, and what the import changes. */
function RowRemarks({ row, kind, own, outcome }: RowRemarksProps) {
  const { reason, target, reported, stored, changes, behind } = row
  const timeZone = useTimeZone()
  // A row that becomes another record changes none.
  const changed =
    changes && outcome !== 'new'
      ? [
          ...changesInWords(kind, changes, own, { stored, timeZone }),
          ...(stored ? dealDifferences(reported, stored, timeZone) : []),
        ]
      : null
  const isWritten = outcome === 'new' || outcome === 'update'
  const told = behind && isWritten ? behindInWords(reported, behind, own, timeZone) : []
  const remarks = [
    ...(changed?.length === 0 && told.length === 0 ? ['Nothing changes.'] : (changed ?? [])),
    ...importRemarks(reported, outcome, stored),
    ...told,
  ]
  if (!reason && remarks.length === 0) return null
  return (
    <div className={classes.remarks}>
      {reason && target && (
        // In a new tab, so that the import stays open.
        <Anchor component={Link} to={`/app/${kind}/${target}`} target="_blank" size="sm">
          {reason}
        </Anchor>
      )}
      {reason && !target && <div>{reason}</div>}
      {remarks.map((remark) => (
        <div key={remark}>{remark}</div>
      ))}
    </div>
  )
}

function RowText({ row, kind }: { row: CheckedRow; kind: ImportKind }) {
  const { name, about } = textsOf(row, kind, useTimeZone())
  return (
    <span className={classes.reported}>
      {name}
      {about && <span className={classes.about}> · {about}</span>}
    </span>
  )
}

function textsOf({ reported, stored }: CheckedRow, kind: ImportKind, timeZone: string) {
  const text = (field: string) => (typeof reported[field] === 'string' ? reported[field] : null)
  const rejected = text('text')
  if (rejected !== null) return { name: rejected, about: '' }
  const about = (...fields: string[]) => fields.map(text).filter(Boolean)
  const joined = (parts: (string | null)[]) => parts.join(' · ')
  if (kind === 'contacts') {
    const name = contactName({ first_name: text('first_name'), last_name: text('last_name') })
    return { name, about: joined(about('email', 'phone_number', 'company')) }
  }
  const name = text('name') ?? ''
  return kind === 'companies'
    ? { name, about: joined(about('website', 'industry', 'location')) }
    : {
        name,
        about: joined([
          ...dealInWords(reported, stored, timeZone),
          ...about('pipeline', 'company', 'contact_email'),
        ]),
      }
}
