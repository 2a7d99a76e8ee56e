import { Alert, Button, NativeSelect, Text, Title } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { type ImportKind, importKinds } from '#domain/import-columns.ts'
import { planProblem } from '#domain/import-rows.ts'
import { type Delimiter, delimiters } from '#domain/import-table.ts'
import type { TextEncoding } from '#domain/import-text.ts'
import type { DayOrder } from '#domain/import-values.ts'
import { ColumnTable } from './column-table.tsx'
import classes from './imports.module.css'
import type { ChosenFile, Import } from './use-import.ts'
import { kindName } from './words.ts'

type MappingStepProps = { work: Import; file: ChosenFile; onStartOver: () => void }

const encodings: Record<TextEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252',
}
const delimiterNames: Record<Delimiter, string> = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' }
const dayOrders: Record<DayOrder, string> = {
  'day first': 'Day first, 31.12.2026',
  'month first': 'Month first, 12/31/2026',
}

/** What was understood of a file, and what can be said otherwise. */
export function MappingStep({ work, file, onStartOver }: MappingStepProps) {
  const { understood } = file
  const { plan, columns, rowCount } = understood
  const used = plan.mapping.filter((field) => field !== null).length
  const problem = planProblem(plan)
  return (
    <section className={classes.card} aria-label="What was understood">
      <Title order={2} mb={2} style={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {counted(rowCount, 'row')}, {counted(columns.length, 'column')}, {used} of them imported
      </Text>
      <FileFacts work={work} file={file} />
      {columns.length === 1 && (
        <Alert color="yellow" variant="light" mb="md">
          Only one column was found. If the file has more, choose another delimiter.
        </Alert>
      )}
      <ColumnTable
        columns={columns}
        plan={plan}
        onChange={(mapping) => work.understand(file, { ...said(file), mapping })}
      />
      <div className={classes.foot}>
        {problem && (
          <Text size="sm" c="dimmed" role="status" mr="auto" style={{ alignSelf: 'center' }}>
            {problem}
          </Text>
        )}
        <Button variant="default" onClick={onStartOver}>
          Choose another file
        </Button>
        <Button disabled={problem !== null} onClick={() => work.check(file)}>
          Check {counted(rowCount, 'row')}
        </Button>
      </div>
    </section>
  )
}

/** What the user has said of the file so far. */
function said({ understood: { headerRow, plan } }: ChosenFile) {
  return { headerRow, kind: plan.kind }
}

function FileFacts({ work, file }: Omit<MappingStepProps, 'onStartOver'>) {
  const { encoding, delimiter, understood, isPasted } = file
  const { plan, headerRow, headerChoices } = understood
  return (
    <div className={classes.facts}>
      <NativeSelect
        label="Import as"
        data={importKinds.map((kind) => ({ value: kind, label: kindName(kind) }))}
        value={plan.kind}
        onChange={({ currentTarget: { value } }) => {
          // The choices above are the kinds.
          work.understand(file, { headerRow, kind: value as ImportKind })
        }}
      />
      {!isPasted && (
        <NativeSelect
          label="Encoding"
          data={Object.entries(encodings).map(([value, label]) => ({ value, label }))}
          value={encoding}
          onChange={({ currentTarget: { value } }) => {
            // The choices above are the encodings.
            work.reread(file, { encoding: value as TextEncoding, delimiter })
          }}
        />
      )}
      <NativeSelect
        label="Delimiter"
        data={delimiters.map((each) => ({ value: each, label: delimiterNames[each] }))}
        value={delimiter}
        onChange={({ currentTarget: { value } }) => {
          const chosen = delimiters.find((each) => each === value)
          if (chosen) work.reread(file, { encoding, delimiter: chosen })
        }}
      />
      <NativeSelect
        label="Header row"
        data={[
          ...headerChoices.map(({ row, text }) => ({ value: `${row}`, label: `${row}: ${text}` })),
          { value: '0', label: 'None' },
        ]}
        value={`${headerRow}`}
        onChange={({ currentTarget: { value } }) =>
          work.understand(file, { headerRow: Number(value) })
        }
      />
      {understood.isDayOrderDoubtful && (
        <NativeSelect
          label="Dates are written"
          data={Object.entries(dayOrders).map(([value, label]) => ({ value, label }))}
          value={plan.dayOrder}
          onChange={({ currentTarget: { value } }) => {
            // The choices above are the orders.
            work.changePlan(file, { ...plan, dayOrder: value as DayOrder })
          }}
        />
      )}
    </div>
  )
}
