import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type ImportMapping, importFields, withColumn } from '#domain/import-headers.ts'
import type { ImportPlan } from '#domain/import-rows.ts'
import classes from './imports.module.css'
import type { Interpretation } from './interpret-rows.ts'

type ColumnTableProps = {
  columns: Interpretation['columns']
  plan: ImportPlan
  onChange: (mapping: ImportMapping) => void
}

/** How many unmapped columns are shown at first. */
const usual = 30

/** Which column fills which field. */
export function ColumnTable({ columns, plan, onChange }: ColumnTableProps) {
  const [shown, setShown] = useState(usual)
  const { kind, mapping } = plan
  const choices = [
    { value: '', label: 'Not imported' },
    ...Object.entries(importFields[kind]).map(([value, label]) => ({ value, label })),
  ]
  const hidden = columns.filter((_, place) => place >= shown && mapping[place] === null).length
  return (
    <>
      <table className={classes.columns}>
        <thead>
          <tr>
            <th>Column</th>
            <th>For example</th>
            <th>Field</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, samples }, place) => {
            const field = mapping[place] ?? ''
            if (place >= shown && field === '') return null
            return (
              <tr key={name}>
                <td className={classes.columnName} title={name}>
                  {name}
                </td>
                <td className={classes.quiet} title={samples.join(' · ')}>
                  {samples.join(' · ') || '–'}
                </td>
                <td>
                  <NativeSelect
                    aria-label={`Field of ${name}`}
                    data={choices}
                    classNames={field === '' ? { input: classes.unused ?? '' } : {}}
                    value={field}
                    onChange={({ currentTarget: { value } }) =>
                      onChange(withColumn(mapping, place, value || null))
                    }
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button variant="subtle" mt="sm" onClick={() => setShown(shown + 50)}>
          Show more of the {hidden} columns that are not imported
        </Button>
      )}
    </>
  )
}
