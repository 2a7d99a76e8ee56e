import { Checkbox, Radio } from '@mantine/core'
import { type CSSProperties, type ReactNode, useId } from 'react'
import { shownDay } from '#domain/dates.ts'
import { isAgreed, linkedWords, type MergeField } from '#domain/merge.ts'
import { tagsOf } from '#domain/tags.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { TagBadges } from '#features/tags/index.ts'
import { type Kind, kindOf, type MergeRecord } from './kinds.ts'
import classes from './merge.module.css'
import type { MergeChoice } from './use-merge-choice.ts'

type MergeColumnsProps = { kind: Kind; records: MergeRecord[]; choice: MergeChoice }

/** A table with a column for each record and a row for each field; stacked on the phone. */
export function MergeColumns({ kind, records, choice }: MergeColumnsProps) {
  return (
    <div className={classes.scroller}>
      <div
        className={classes.table}
        // CSS properties of our own are not in the type.
        style={{ '--columns': records.length } as CSSProperties}
      >
        <KeptRecord kind={kind} records={records} choice={choice} />
        {choice.fields.map((field) => (
          <Field key={field.name} field={field} records={records} choice={choice} />
        ))}
        <KeptTags tags={tagsOf(choice.rows.flatMap(({ tags = [] }) => tags))} />
      </div>
    </div>
  )
}

function KeptRecord({ kind, records, choice }: MergeColumnsProps) {
  const { one, nameOf } = kindOf[kind]
  const timeZone = useTimeZone()
  return (
    <Row label={`Keep this ${one}`}>
      {(name) =>
        records.map((record) => {
          const isOut = choice.isLeftOut(record.id)
          const isKept = choice.keep === record.id
          return (
            <div key={record.id} className={classes.cell} data-out={isOut || undefined}>
              <Radio
                name={name}
                checked={isKept}
                disabled={isOut}
                classNames={{ description: classes.about ?? '' }}
                onChange={() => choice.chooseKeep(record.id)}
                label={<bdi className={classes.title}>{nameOf(record)}</bdi>}
                description={`Created ${shownDay(record.created_at, timeZone)} · ${
                  linkedWords([record.linked]) || 'nothing linked'
                }`}
              />
              {records.length > 2 && (
                <Checkbox
                  mt={8}
                  ml={28}
                  size="xs"
                  checked={!isOut}
                  disabled={isKept || (!isOut && choice.rows.length === 2)}
                  onChange={(event) => choice.leaveOut(record.id, !event.currentTarget.checked)}
                  label="Merge this one"
                  aria-label={`Merge ${nameOf(record)}`}
                />
              )}
            </div>
          )
        })
      }
    </Row>
  )
}

/** Nothing is chosen of tags: the record that stays gets those of all. */
function KeptTags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null
  return (
    <div className={classes.row}>
      <div className={classes.label}>Tags</div>
      <div className={classes.agreed}>
        <TagBadges tags={tags} />
      </div>
    </div>
  )
}

type FieldProps = {
  field: MergeField
  records: MergeRecord[]
  choice: MergeChoice
}

function Field({ field, records, choice }: FieldProps) {
  const { name: column, label, shown } = field
  const [first] = records
  if (isAgreed(field, records)) {
    const text = first ? shown(first) : ''
    // Hide a field that is empty in all records.
    if (text === '') return null
    return (
      <div className={classes.row}>
        <div className={classes.label}>{label}</div>
        <div className={classes.agreed} dir="auto">
          {text}
        </div>
      </div>
    )
  }
  return (
    <Row label={label}>
      {(name) =>
        records.map((record) => {
          const text = shown(record)
          const isOut = choice.isLeftOut(record.id)
          return (
            <div key={record.id} className={classes.cell} data-out={isOut || undefined}>
              <Radio
                name={name}
                checked={choice.choice[column] === record.id}
                disabled={isOut}
                onChange={() => choice.choose(column, record.id)}
                label={
                  text ? (
                    <span className={classes.value} dir="auto" title={text}>
                      {text}
                    </span>
                  ) : (
                    <span className={classes.empty}>Empty</span>
                  )
                }
              />
            </div>
          )
        })
      }
    </Row>
  )
}

type RowProps = { label: string; children: (name: string) => ReactNode }

function Row({ label, children }: RowProps) {
  const id = useId()
  return (
    <div className={classes.row} role="radiogroup" aria-labelledby={id}>
      <div className={classes.label} id={id}>
        {label}
      </div>
      {children(id)}
    </div>
  )
}
