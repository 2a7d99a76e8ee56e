import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { checkOf } from '#domain/fields/checks.ts'
import type { TagChange } from '#domain/tags.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { TagInput } from './tag-input.tsx'

type TagsDialogProps = {
  /** '3 contacts' */
  what: string
  /** Rejects after a failure, which has been reported by then. */
  onSet: (change: TagChange) => Promise<unknown>
  onClose: () => void
}

// What a check of a field takes and gives is known at run time only.
const check = checkOf({ kind: 'tags', label: 'Tags' }) as z.ZodType<string[], string[]>

const schema = z.object({
  tags: check.refine((tags) => tags.length > 0, 'Enter at least one tag.'),
})

/** Adds tags to many records, or takes them away. */
export function TagsDialog({ what, onSet, onClose }: TagsDialogProps) {
  const [isRemoval, setIsRemoval] = useState(false)
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { tags: [] },
    async save({ tags }) {
      await onSet(isRemoval ? { remove_tags: tags } : { add_tags: tags })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Tag ${what}`}
      submitLabel={isRemoval ? 'Remove tags' : 'Add tags'}
      {...dialog}
      onClose={onClose}
      size={400}
    >
      <SegmentedControl
        aria-label="What to do"
        data={[
          { value: 'add', label: 'Add' },
          { value: 'remove', label: 'Remove' },
        ]}
        value={isRemoval ? 'remove' : 'add'}
        onChange={(next) => setIsRemoval(next === 'remove')}
      />
      <TagInput
        label="Tags"
        name="tags"
        data-autofocus
        {...form.getInputProps('tags')}
        value={form.values.tags}
      />
    </FormDialog>
  )
}
