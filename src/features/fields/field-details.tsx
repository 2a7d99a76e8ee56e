import { Fragment, type ReactNode } from 'react'
import { phoneLink } from '#domain/contact.ts'
import { type Field, type Fields, labelOf, valueAt } from '#domain/fields/field.ts'
import { kinds } from '#domain/fields/kinds.ts'
import { mailtoLink } from '#domain/mail-merge.ts'
import { safeLink } from '#domain/web-address.ts'
import type { DetailField } from '#lib/use-detail-fields.ts'
import { EditableField } from '#ui/editable-field.tsx'

type FieldDetailsProps = {
  fields: Fields
  record: object
  /** From `useDetailFields`. */
  field: (name: string) => DetailField
  onTakeTheirs: () => void
  /** What stands in the place of a field that is chosen or shown in a way of its own; null for nothing. */
  special?: Record<string, ReactNode>
  /** A day that has passed although it should not have. */
  alarming?: readonly string[]
}

/** The fields of a record, each edited where it stands, in the order of their definitions. */
export function FieldDetails({
  fields,
  record,
  field: edited,
  onTakeTheirs,
  special = {},
  alarming = [],
}: FieldDetailsProps) {
  return Object.entries(fields)
    .filter(([, { edit }]) => edit !== 'never')
    .map(([name, field]) => (
      <Fragment key={name}>
        {name in special ? (
          special[name]
        ) : (
          <EditableField
            label={labelOf(field, 'form')}
            {...edited(name)}
            {...lookOf(field, valueAt(record, name))}
            isAlarming={alarming.includes(name)}
            onTakeTheirs={onTakeTheirs}
          />
        )}
      </Fragment>
    ))
}

type Look = Partial<Parameters<typeof EditableField>[0]>

/** How a value is shown and typed, as its kind wants it. */
function lookOf({ kind, hasLines }: Field, value: unknown): Look {
  const text = typeof value === 'string' ? value : null
  // Only moments depend on the time zone, and none is typed.
  const shown = kinds[kind].shown?.(value, 'UTC')
  const look: Look = shown === undefined ? {} : { shown }
  switch (kind) {
    case 'email':
      return {
        type: 'email',
        href: text && mailtoLink({ to: text, subject: '', body: '' }),
        canCopy: true,
      }
    case 'phone':
      return { type: 'tel', href: text && phoneLink(text), canCopy: true }
    case 'link':
      return {
        ...look,
        type: 'url',
        placeholder: 'https://acme.com',
        href: safeLink(text),
        canCopy: true,
      }
    case 'number':
    case 'money':
      return { ...look, inputMode: 'decimal' }
    case 'day':
      return { ...look, type: 'date', empty: 'Not set' }
    default:
      return { ...look, isLong: kind === 'long text' || hasLines === true }
  }
}
