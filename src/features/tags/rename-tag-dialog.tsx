import { TextInput } from '@mantine/core'
import { z } from 'zod'
import { counted } from '#domain/counted.ts'
import { isSameTag, longestTag } from '#domain/tags.ts'
import { requiredText } from '#domain/text-fields.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { type Tag, useRenameTag } from './queries.ts'

const schema = z.object({
  name: requiredText('Name', longestTag).refine(
    (name) => !/[;,|]/.test(name),
    'Tags can’t contain commas, semicolons or bars.',
  ),
})

type RenameTagDialogProps = { tag: Tag; all: Tag[]; onClose: () => void }

/** Gives a tag another name on all records; the name of another tag makes one of the two. */
export function RenameTagDialog({ tag, all, onClose }: RenameTagDialogProps) {
  const rename = useRenameTag()
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { name: tag.name },
    async save({ name }) {
      if (name !== tag.name) await rename(tag, name, all)
      onClose()
    },
  })
  const into = all.find(({ id, name }) => id !== tag.id && isSameTag(name, form.values.name.trim()))
  const uses = tag.contacts + tag.companies + tag.deals
  return (
    <FormDialog
      title={`Rename ${tag.name}`}
      submitLabel={into ? 'Merge tags' : 'Rename'}
      {...dialog}
      onClose={onClose}
      size={400}
    >
      <TextInput
        label="Name"
        name="name"
        autoComplete="off"
        dir="auto"
        data-autofocus
        description={
          into
            ? `The tag ${into.name} exists. The two will be merged.`
            : `On ${counted(uses, 'record')}.`
        }
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
