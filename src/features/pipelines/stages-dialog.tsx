import { ActionIcon, Button, Select, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { noStage, outcomeNamed } from '#domain/deal.ts'
import { moved } from '#domain/moved.ts'
import {
  moveQuestion,
  moveTargets,
  removedInUse,
  type StageInput,
  stagesSchema,
  usualProbability,
} from '#domain/pipeline.ts'
import { newId } from '#lib/new-id.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { MoveButtons } from '#ui/move-buttons.tsx'
import classes from './pipelines.module.css'
import { type Pipeline, useSaveStages } from './queries.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type StagesDialogProps = { pipeline: Pipeline; onClose: () => void }

/** Edits the stages of a pipeline: names, order, win probabilities. */
export function StagesDialog({ pipeline, onClose }: StagesDialogProps) {
  const save = useSaveStages()
  // The stages when the dialog was opened: a change elsewhere must not change the questions.
  const schema = useMemo(() => stagesSchema(pipeline.stages), [pipeline.stages])
  const initial: { stages: StageInput[]; moves: Record<string, string> } = {
    stages: pipeline.stages.map(({ id, name, win_probability }) => ({ id, name, win_probability })),
    moves: {},
  }
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: initial,
    async save({ stages, moves }) {
      await save({ pipeline: pipeline.id, stages, moves })
      onClose()
    },
  })
  const { stages, moves } = form.values
  const change = (next: StageInput[]) => form.setFieldValue('stages', next)
  const isClosed = (id: string) =>
    pipeline.stages.some((stage) => stage.id === id && stage.outcome !== 'open')
  const targets = [...moveTargets(pipeline.stages, stages), { id: 'none', name: noStage }]
  // Ignore a target that was removed meanwhile.
  const targetOf = (id: string) => targets.find((target) => target.id === moves[id])?.id ?? null
  return (
    <FormDialog
      title={`Stages of ${pipeline.name}`}
      submitLabel="Save stages"
      {...dialog}
      onClose={onClose}
      size={560}
    >
      <ol className={classes.stages}>
        {stages.map((stage, index) => (
          <StageRow
            key={stage.id}
            stage={stage}
            errors={{
              name: form.errors[`stages.${index}.name`],
              probability: form.errors[`stages.${index}.win_probability`],
            }}
            index={index}
            // Won and lost keep their names and probabilities. A stage that is not saved yet has no outcome of its own: the
            // database gives it the one of its name.
            isFixed={isClosed(stage.id) || outcomeNamed(stage.name) !== 'open'}
            // A stage that is not saved yet can always be removed.
            canRemove={stages.length > 1 && !isClosed(stage.id)}
            count={stages.length}
            onChange={(changes) => change(stages.with(index, { ...stage, ...changes }))}
            onMove={(to) => change(moved(stages, index, to))}
            onRemove={() => change(stages.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {form.errors.stages && <Text c="red">{form.errors.stages}</Text>}
      <Button
        variant="default"
        leftSection={<IconPlus {...icon} />}
        onClick={() =>
          change([...stages, { id: newId(), name: '', win_probability: usualProbability }])
        }
      >
        Add stage
      </Button>
      {removedInUse(pipeline.stages, stages).map((stage) => (
        <Select
          key={stage.id}
          // The pressed button is gone, and on a small screen the question may be out of sight.
          autoFocus
          openOnFocus={false}
          attributes={{ input: { name: `moves.${stage.id}` } }}
          label={moveQuestion(stage)}
          placeholder="Choose a stage"
          data={targets.map((target) => ({ value: target.id, label: target.name }))}
          allowDeselect={false}
          value={targetOf(stage.id)}
          onChange={(target) => {
            form.setFieldValue('moves', { ...moves, ...(target ? { [stage.id]: target } : {}) })
            form.clearFieldError(`moves.${stage.id}`)
          }}
          error={form.errors[`moves.${stage.id}`]}
        />
      ))}
    </FormDialog>
  )
}

type StageRowProps = {
  stage: StageInput
  errors: { name: ReactNode; probability: ReactNode }
  index: number
  count: number
  isFixed: boolean
  canRemove: boolean
  onChange: (changes: Partial<StageInput>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

function StageRow(props: StageRowProps) {
  const { stage, errors, index, count, isFixed, canRemove, onChange, onMove, onRemove } = props
  const { name, win_probability } = stage
  const label = name || `stage ${index + 1}`
  return (
    <li className={classes.stage}>
      <div className={classes.order}>
        <MoveButtons name={label} index={index} count={count} onMove={onMove} />
      </div>
      <TextInput
        aria-label={`Name of stage ${index + 1}`}
        name={`stages.${index}.name`}
        placeholder="Name"
        dir="auto"
        autoComplete="off"
        readOnly={isFixed}
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={errors.name}
      />
      <TextInput
        aria-label={`Win probability of ${label}`}
        name={`stages.${index}.win_probability`}
        type="number"
        min={0}
        max={100}
        step={1}
        readOnly={isFixed}
        rightSection="%"
        value={win_probability}
        onChange={({ currentTarget }) => onChange({ win_probability: currentTarget.value })}
        error={errors.probability}
      />
      <ActionIcon
        aria-label={`Remove ${label}`}
        title={isFixed && !canRemove ? `${name} can’t be removed` : 'Remove'}
        disabled={!canRemove}
        onClick={onRemove}
      >
        <IconTrash {...icon} />
      </ActionIcon>
    </li>
  )
}
