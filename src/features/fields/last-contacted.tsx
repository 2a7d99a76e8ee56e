import { fromNow, shownMoment } from '#domain/dates.ts'
import { contactFields } from '#domain/fields/contacts.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { FieldFact } from '#ui/field-row.tsx'

/** When somebody was last called, met or written to; undefined until it is read. */
export function LastContacted({ at }: { at: string | null | undefined }) {
  const timeZone = useTimeZone()
  const now = useNow()
  return (
    <FieldFact label={contactFields.last_contacted.label}>
      {at === null && 'Never'}
      {at && <span title={shownMoment(at, timeZone)}>{fromNow(at, now, timeZone)}</span>}
    </FieldFact>
  )
}
