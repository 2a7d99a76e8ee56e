import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { counted } from '#domain/counted.ts'
import { shownDay } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import { linkedWords } from '#domain/merge.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { LinkWithCopy } from '#ui/link-with-copy.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './duplicates.module.css'
import { countedOf, type Kind, kindOf, type MergeRecord, reasonWords } from './kinds.ts'
import type { DuplicateGroup } from './queries.ts'

type DuplicateCardProps = {
  kind: Kind
  group: DuplicateGroup
  onMerge: () => void
  onPointAtMerge: () => void
  onMarkNotDuplicates: () => void
}

/** A group of likely duplicates, with the fields that distinguish them. */
export function DuplicateCard({
  kind,
  group,
  onMerge,
  onPointAtMerge,
  onMarkNotDuplicates,
}: DuplicateCardProps) {
  const { reasons, size, records } = group
  const { nameOf } = kindOf[kind]
  const names = [...new Set(records.map(nameOf))].join(', ')
  return (
    <article className={classes.group} aria-label={names}>
      <div className={classes.head}>
        <div className={classes.reasons}>
          {reasons.map((reason) => (
            <TintBadge key={reason} color={reason === 'name' ? 'gray' : 'iris'}>
              {reasonWords(reason)}
            </TintBadge>
          ))}
          <span className={classes.quiet}>{counted(size, ...countedOf(kind))}</span>
        </div>
        <div className={classes.actions}>
          {/* Not for groups with more records than are shown. */}
          {size === records.length && (
            <Button
              variant="subtle"
              color="gray"
              c="var(--solo-text)"
              onClick={onMarkNotDuplicates}
            >
              Not duplicates
            </Button>
          )}
          <Button
            variant="default"
            onClick={onMerge}
            onPointerEnter={onPointAtMerge}
            onFocus={onPointAtMerge}
          >
            Merge
          </Button>
        </div>
      </div>
      <ul className={classes.records}>
        {records.map((record) => (
          <RecordFacts key={record.id} kind={kind} record={record} />
        ))}
      </ul>
      {size > records.length && (
        <p className={classes.more}>
          Showing the oldest {records.length} of {shownNumber(size)}. Merge these first.
        </p>
      )}
    </article>
  )
}

function RecordFacts({ kind, record }: { kind: Kind; record: MergeRecord }) {
  const { nameOf, facts } = kindOf[kind]
  const timeZone = useTimeZone()
  const name = nameOf(record)
  return (
    <li className={classes.record}>
      <Link to={`/app/${kind}/${record.id}`} className={classes.name} title={name}>
        <bdi>{name}</bdi>
      </Link>
      {facts(record).map(({ label, text, href }) => (
        <div key={label} className={classes.fact} data-empty={text ? undefined : true}>
          {text && href ? (
            <LinkWithCopy href={href} text={text} what={label.toLowerCase()} />
          ) : (
            <bdi title={text ?? undefined}>{text ?? '-'}</bdi>
          )}
        </div>
      ))}
      <span className={classes.quiet}>Created {shownDay(record.created_at, timeZone)}</span>
      <span className={classes.quiet}>{linkedWords([record.linked]) || 'Nothing linked'}</span>
    </li>
  )
}
