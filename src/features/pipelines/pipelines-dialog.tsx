import { ActionIcon, Button, Modal, Text } from '@mantine/core'
import { IconListDetails, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { closedStages } from '#domain/deal.ts'
import { NameDialog } from '#features/naming/index.ts'
import { readProblem } from '#lib/errors.ts'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { useFocusAfterCover } from '#ui/use-focus-back.ts'
import { DeletePipelineDialog } from './delete-pipeline-dialog.tsx'
import classes from './pipelines.module.css'
import { type Pipeline, useCreatePipeline, usePipelines, useRenamePipeline } from './queries.ts'
import { StagesDialog } from './stages-dialog.tsx'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The dialog over the list. */
type Open = { form: 'create' } | { form: 'rename' | 'stages' | 'delete'; pipeline: Pipeline }

/** Manages pipelines: create, rename, delete, edit stages. */
export function PipelinesDialog({ onClose }: { onClose: () => void }) {
  const { pipelines, isLoading, error, refetch } = usePipelines()
  const [open, setOpen] = useState<Open | null>(null)
  const create = useCreatePipeline()
  const rename = useRenamePipeline()
  const close = () => setOpen(null)
  useFocusAfterCover(open !== null)
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title="Pipelines"
        size={520}
        yOffset="12dvh"
        // Not while another dialog is open over it.
        closeOnEscape={!open}
        trapFocus={!open}
        withOverlay={!open}
      >
        {isLoading && <LoadingState text="Loading pipelines..." />}
        {error && (
          <ErrorState
            title="The pipelines could not be loaded"
            message={readProblem(error)}
            onRetry={refetch}
          />
        )}
        <ul className={classes.list}>
          {pipelines.map((pipeline) => (
            <PipelineRow
              key={pipeline.id}
              pipeline={pipeline}
              isLast={pipelines.length === 1}
              onOpen={setOpen}
            />
          ))}
        </ul>
        <Button
          variant="default"
          leftSection={<IconPlus {...icon} />}
          onClick={() => setOpen({ form: 'create' })}
        >
          New pipeline
        </Button>
      </Modal>
      {open?.form === 'create' && (
        <NameDialog
          title="New pipeline"
          hint={`Starts with the stages Lead, Qualified, Proposal, Negotiation and ${closedStages.won}.`}
          submitLabel="Create pipeline"
          kind="pipeline"
          taken={pipelines.map(({ name }) => name)}
          onSave={create}
          onClose={close}
        />
      )}
      {open?.form === 'rename' && (
        <NameDialog
          title="Rename pipeline"
          submitLabel="Rename"
          kind="pipeline"
          name={open.pipeline.name}
          taken={pipelines.filter(({ id }) => id !== open.pipeline.id).map(({ name }) => name)}
          onSave={(name) => rename({ id: open.pipeline.id, name })}
          onClose={close}
        />
      )}
      {open?.form === 'stages' && <StagesDialog pipeline={open.pipeline} onClose={close} />}
      {open?.form === 'delete' && (
        <DeletePipelineDialog
          pipeline={open.pipeline}
          others={pipelines.filter(({ id }) => id !== open.pipeline.id)}
          onClose={close}
        />
      )}
    </>
  )
}

type PipelineRowProps = {
  pipeline: Pipeline
  isLast: boolean
  onOpen: (open: Open) => void
}

function PipelineRow({ pipeline, isLast, onOpen }: PipelineRowProps) {
  const { name, stages, deals } = pipeline
  return (
    <li className={classes.row}>
      <div className={classes.titles}>
        <bdi className={classes.name} title={name}>
          {name}
        </bdi>
        <Text size="sm" c="dimmed">
          {`${counted(stages.length, 'stage')} · ${counted(deals, 'deal')}`}
        </Text>
      </div>
      <Button
        variant="default"
        leftSection={<IconListDetails {...icon} />}
        aria-label={`Edit stages of ${name}`}
        onClick={() => onOpen({ form: 'stages', pipeline })}
      >
        Edit stages
      </Button>
      <ActionIcon
        aria-label={`Rename ${name}`}
        title="Rename"
        onClick={() => onOpen({ form: 'rename', pipeline })}
      >
        <IconPencil {...icon} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Delete ${name}`}
        title="Delete"
        disabled={isLast}
        onClick={() => onOpen({ form: 'delete', pipeline })}
      >
        <IconTrash {...icon} />
      </ActionIcon>
    </li>
  )
}
