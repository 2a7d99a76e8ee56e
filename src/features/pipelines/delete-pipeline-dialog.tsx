import { Select, Text } from '@mantine/core'
import { useMemo } from 'react'
import { z } from 'zod'
import { counted } from '#domain/counted.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { type Pipeline, useDeletePipeline } from './queries.ts'

type DeletePipelineDialogProps = {
  pipeline: Pipeline
  others: Pipeline[]
  onClose: () => void
}

/** Asks where the deals of a pipeline go before it is deleted. */
export function DeletePipelineDialog({ pipeline, others, onClose }: DeletePipelineDialogProps) {
  const { id, name, deals } = pipeline
  const remove = useDeletePipeline()
  const schema = useMemo(
    () =>
      z.object({
        move_to: z
          .string()
          .nullable()
          .refine((target) => target !== null || deals === 0, {
            error: `Choose a pipeline for the ${deals === 1 ? 'deal' : 'deals'}.`,
          }),
      }),
    [deals],
  )
  const { form, element, isSaving, submit } = useRecordForm({
    schema,
    initialValues: { move_to: others.length === 1 ? (others[0]?.id ?? null) : null },
    async save({ move_to }) {
      await remove({ id, moveTo: deals > 0 ? move_to : null })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Delete pipeline"
      submitLabel="Delete pipeline"
      isDirty={false}
      isSaving={isSaving}
      onSubmit={submit}
      onClose={onClose}
      formRef={element}
      size={440}
    >
      <Text>
        <bdi>“{name}”</bdi> and its stages will be deleted.
      </Text>
      {deals > 0 && (
        <Select
          label={deals === 1 ? 'Move its deal to' : `Move its ${counted(deals, 'deal')} to`}
          description={`${deals === 1 ? 'It keeps its stage' : 'Deals keep their stage'} if the pipeline has one of the same name.`}
          name="move_to"
          placeholder="Choose a pipeline"
          data={others.map((other) => ({ value: other.id, label: other.name }))}
          allowDeselect={false}
          {...form.getInputProps('move_to')}
        />
      )}
    </FormDialog>
  )
}
