/** Holds the place of a section of a record's page until its code is there: what is below waits, see `RecordSection`. */
export function SectionPlace() {
  return <div aria-busy hidden />
}
