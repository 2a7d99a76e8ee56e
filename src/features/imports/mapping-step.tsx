import { Alert, Button, NativeSelect, Text, Title } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { closingProblem } from '#domain/import-closing.ts'
import { columnsProblem } from '#domain/import-column-words.ts'
import { type ImportKind, importKinds } from '#domain/import-headers.ts'
import type { Choices } from '#domain/import-keep.ts'
import { mayHaveDeals } from '#domain/import-kind.ts'
import { type Delimiter, delimiters } from '#domain/import-table.ts'
import type { TextEncoding } from '#domain/import-text.ts'
import type { DayOrder } from '#domain/import-values.ts'
import { useLate } from '#ui/use-late.ts'
import { ClosingQuestion } from './closing-question.tsx'
import { ColumnTable } from './column-table.tsx'
import classes from './imports.module.css'
import { KeepColumns } from './keep-columns.tsx'
import { LeftOut } from './left-out.tsx'
import type { Import, Stage } from './use-import.ts'
import { kindName } from './words.ts'

type Mapping = Extract<Stage, { is: 'mapping' }>
type MappingStepProps = { work: Import; mapping: Mapping; onStartOver: () => void }

const encodings: Record<TextEncoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Western, Windows-1252',
  'windows-1250': 'Central European, Windows-1250',
  'windows-1251': 'Cyrillic, Windows-1251',
  shift_jis: 'Japanese, Shift-JIS',
  gbk: 'Chinese, GBK',
}
const delimiterNames: Record<Delimiter, string> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Pipe',
}
const dayOrders: Record<DayOrder, string> = {
  'day first': 'Day first, 31.12.2026',
  'month first': 'Month first, 12/31/2026',
}

/** How a file was interpreted, with the controls to correct it. */
export function MappingStep({ work, mapping, onStartOver }: MappingStepProps) {
  const { file, request } = mapping
  const { plan, columns, rowCount, recognised, undated } = file.interpretation
  const isReading = request !== null
  const isSlow = useLate(isReading)
  const used = plan.mapping.filter((field) => field !== null).length
  const rows = counted(rowCount, file.form.is === 'cards' ? 'card' : 'row')
  const problem =
    columnsProblem(plan.kind, plan.mapping, plan.own) ?? closingProblem(undated, plan.closing)
  const changeColumns = ({ mapping: fields, own }: Choices) =>
    work.changePlan(file, { mapping: fields, own })
  return (
    <section className={classes.card} aria-label="File">
      <Title order={2} mb={2} style={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {rows}, {counted(columns.length, 'column')}, {used} matched
        <LeftOut interpretation={file.interpretation} form={file.form} />
      </Text>
      {recognised !== null && recognised !== plan.kind && (
        <Alert color="yellow" variant="light" mb="md">
          <div className={classes.offer}>
            This file looks like {recognised}.
            <Button
              size="compact-sm"
              variant="default"
              inert={areColumnsGoing(request)}
              onClick={() => work.chooseKind(file, recognised)}
            >
              Import as {recognised}
            </Button>
          </div>
        </Alert>
      )}
      {recognised === 'contacts' &&
        plan.kind === 'contacts' &&
        mayHaveDeals(columns.map(({ name }) => name)) && (
          <Alert color="yellow" variant="light" mb="md">
            <div className={classes.offer}>
              This file may have deals, too. Imported as deals, each row also creates its contact
              and company.
              <Button
                size="compact-sm"
                variant="default"
                inert={areColumnsGoing(request)}
                onClick={() => work.chooseKind(file, 'deals')}
              >
                Import as deals
              </Button>
            </div>
          </Alert>
        )}
      {plan.kind === 'deals' && problem === null && !plan.mapping.includes('name') && (
        <Text size="sm" c="dimmed" mb="md" role="note">
          No column has the name of the deal. Deals are named after their company or contact.
        </Text>
      )}
      <FileFacts work={work} mapping={mapping} isSlow={isSlow} />
      {columns.length === 1 && file.form.is === 'text' && (
        <Alert color="yellow" variant="light" mb="md">
          Only one column was found. If the file has more, choose another delimiter.
        </Alert>
      )}
      {undated && (
        <ClosingQuestion
          undated={undated}
          answer={plan.closing}
          onAnswer={(closing) => work.settle(file, { closing })}
        />
      )}
      <div
        inert={areColumnsGoing(request)}
        data-slow={isSlow || undefined}
        className={classes.mapping}
      >
        <KeepColumns columns={columns} plan={plan} onChange={changeColumns} />
        <ColumnTable
          columns={columns}
          plan={plan}
          onChange={changeColumns}
          onRename={({ own }) => work.settle(file, { own })}
        />
      </div>
      <div className={classes.foot}>
        {(isSlow || problem) && (
          <Text size="sm" c="dimmed" role="status" mr="auto" style={{ alignSelf: 'center' }}>
            {isSlow ? 'Reading the rows...' : problem}
          </Text>
        )}
        <Button variant="default" onClick={onStartOver}>
          Choose another file
        </Button>
        <Button
          disabled={problem !== null}
          aria-disabled={isReading}
          data-disabled={isSlow || undefined}
          onClick={() => work.check(file)}
        >
          Check {rows}
        </Button>
      </div>
    </section>
  )
}

/** Whether the columns may change, because the file is being read again. */
function areColumnsGoing(request: Mapping['request']): boolean {
  return request !== null && ('read' in request || request.take.mapping === undefined)
}

type FileFactsProps = { work: Import; mapping: Mapping; isSlow: boolean }

/**
 * The choices about the file stay enabled while the worker runs; the newest one wins. Only those about columns that are
 * about to change are inert.
 */
function FileFacts({ work, mapping: { file, request }, isSlow }: FileFactsProps) {
  const { form, interpretation, isPasted } = file
  const { plan, headerRow, headerChoices } = interpretation
  const isReread = request !== null && 'read' in request
  return (
    <div className={classes.facts} data-slow={isSlow || undefined}>
      <NativeSelect
        label="Import as"
        data={importKinds.map((kind) => ({ value: kind, label: kindName(kind) }))}
        value={plan.kind}
        inert={areColumnsGoing(request)}
        onChange={({ currentTarget: { value } }) => {
          // The choices above are the kinds.
          work.chooseKind(file, value as ImportKind)
        }}
      />
      {(form.is === 'text' || (form.is === 'cards' && form.encoding)) && !isPasted && (
        <NativeSelect
          label="Encoding"
          data={Object.entries(encodings).map(([value, label]) => ({ value, label }))}
          value={form.encoding}
          onChange={({ currentTarget: { value } }) => {
            // The choices above are the encodings.
            work.reread(file, { ...form, encoding: value as TextEncoding })
          }}
        />
      )}
      {form.is === 'text' && (
        <NativeSelect
          label="Delimiter"
          data={delimiters.map((each) => ({ value: each, label: delimiterNames[each] }))}
          value={form.delimiter}
          onChange={({ currentTarget: { value } }) => {
            const chosen = delimiters.find((each) => each === value)
            if (chosen) work.reread(file, { ...form, delimiter: chosen })
          }}
        />
      )}
      {form.is === 'workbook' && form.sheets.length > 1 && (
        <NativeSelect
          label="Sheet"
          data={form.sheets.map((name, place) => ({ value: `${place}`, label: name }))}
          value={`${form.sheet}`}
          onChange={({ currentTarget: { value } }) =>
            work.reread(file, { ...form, sheet: Number(value) })
          }
        />
      )}
      {form.is !== 'cards' && (
        <NativeSelect
          label="Header row"
          data={[
            ...headerChoices.map(({ row, text }) => ({
              value: `${row}`,
              label: `${row}: ${text}`,
            })),
            { value: '0', label: 'None' },
          ]}
          value={`${headerRow}`}
          inert={isReread}
          onChange={({ currentTarget: { value } }) => work.chooseHeader(file, Number(value))}
        />
      )}
      {interpretation.isDayOrderDoubtful && (
        <NativeSelect
          label="Dates are written"
          data={Object.entries(dayOrders).map(([value, label]) => ({ value, label }))}
          value={plan.dayOrder}
          inert={areColumnsGoing(request)}
          onChange={({ currentTarget: { value } }) => {
            // The choices above are the orders.
            work.changePlan(file, { dayOrder: value as DayOrder })
          }}
        />
      )}
    </div>
  )
}
