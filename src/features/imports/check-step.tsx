import { Alert, Button, Radio, Tabs, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { leadStatuses } from '#domain/fields/contacts.ts'
import { shownNumber } from '#domain/figures.ts'
import type { RowOutcome } from '#domain/import-remarks.ts'
import type { StatusChange } from '#domain/import-status.ts'
import { CheckedRows } from './checked-rows.tsx'
import classes from './imports.module.css'
import { LeftOut } from './left-out.tsx'
import type { Duplicates, Found } from './queries.ts'
import { RejectedButton } from './rejected-button.tsx'
import type { Import, Stage } from './use-import.ts'
import { countedKind } from './words.ts'

type Checked = Extract<Stage, { is: 'checked' }>
type CheckStepProps = { work: Import; checked: Checked; onStartOver: () => void }

const outcomes: { value: RowOutcome; label: string; empty: string }[] = [
  { value: 'new', label: 'New', empty: 'No new records' },
  { value: 'update', label: 'Update', empty: 'No updates' },
  { value: 'duplicate', label: 'Duplicate', empty: 'No duplicates' },
  { value: 'error', label: 'Error', empty: 'No errors' },
]

/** The outcome of each kind of row, by how duplicates are handled. */
const becomes: Record<Duplicates, Record<RowOutcome, (keyof Found)[]>> = {
  skip: { new: ['new'], update: [], duplicate: ['known', 'twin'], error: ['error'] },
  update: { new: ['new'], update: ['known'], duplicate: ['twin'], error: ['error'] },
  create: { new: ['new', 'known', 'twin'], update: [], duplicate: [], error: ['error'] },
}

/** The dry run: what each row would become, and why. */
export function CheckStep({ work, checked, onStartOver }: CheckStepProps) {
  const { file, id, found } = checked
  const { plan, statusChanges } = file.interpretation
  const { kind } = plan
  // A file with existing deals most likely has newer values or stages.
  const [duplicates, setDuplicates] = useState<Duplicates>(kind === 'deals' ? 'update' : 'skip')
  const count = (outcome: RowOutcome) =>
    becomes[duplicates][outcome].reduce((sum, each) => sum + found[each], 0)
  const [tab, setTab] = useState<RowOutcome>(
    () => outcomes.find(({ value }) => count(value) > 0)?.value ?? 'new',
  )
  const writes = count('new') + count('update')
  const words = outcomes.find(({ value }) => value === tab)?.empty ?? ''
  return (
    <section className={classes.card} aria-label="Dry run">
      <Title order={2} mb={2} style={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Nothing is saved yet. Review what will happen to each row.
        <LeftOut
          interpretation={file.interpretation}
          form={file.form}
          isUpdate={count('update') > 0}
        />
      </Text>
      {statusChanges.length > 0 && <StatusChanges changes={statusChanges} />}
      {found.known + found.twin > 0 && (
        <Radio.Group
          label={`Existing ${kind}`}
          value={duplicates}
          // The radios below are the ways.
          onChange={(value) => setDuplicates(value as Duplicates)}
          mb="md"
        >
          <div className={classes.ways}>
            <Radio value="skip" label="Skip" />
            <Radio value="update" label="Update from the file" />
            <Radio value="create" label="Import as new" />
          </div>
        </Radio.Group>
      )}
      <Tabs
        value={tab}
        // The tabs below are the outcomes.
        onChange={(value) => setTab(value as RowOutcome)}
        keepMounted={false}
      >
        <Tabs.List mb="sm" className={classes.tabs ?? ''}>
          {outcomes.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label} ({shownNumber(count(value))})
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {outcomes.map(({ value }) => (
          <Tabs.Panel key={value} value={value} className={classes.panel ?? ''}>
            <CheckedRows
              importId={id}
              kind={kind}
              isCards={file.form.is === 'cards'}
              own={plan.own}
              outcome={value}
              found={becomes[duplicates][value]}
              duplicates={duplicates}
              empty={words}
              isEmpty={count(value) === 0}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      <div className={classes.foot}>
        {found.error > 0 && (
          <RejectedButton
            work={work}
            id={id}
            fileName={file.name}
            icon={<IconDownload size={16} stroke={1.5} aria-hidden />}
          />
        )}
        <Button variant="default" onClick={onStartOver}>
          Choose another file
        </Button>
        <Button variant="default" onClick={() => work.backToMapping(file)}>
          Back to columns
        </Button>
        <Button disabled={writes === 0} onClick={() => work.write(checked, duplicates)}>
          {writes === 0 ? 'Nothing to import' : `Import ${countedKind(writes, kind)}`}
        </Button>
      </div>
    </section>
  )
}

/** The lead statuses of the file that will be translated. */
function StatusChanges({ changes }: { changes: StatusChange[] }) {
  return (
    <Alert color="yellow" variant="light" mb="md" title="Unknown lead statuses">
      <ul className={classes.words}>
        {changes.map(({ word, becomes, rows }) => (
          <li key={word}>
            “{word}” ({counted(rows, 'row')}){' '}
            {becomes
              ? `becomes ${becomes}`
              : `becomes ${leadStatuses[0]} for new contacts; existing contacts keep theirs. The original is kept in the notes.`}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
