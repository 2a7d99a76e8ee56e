import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { errorMessage } from '#lib/errors.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { type StoredFile, useRenameFile } from './queries.ts'

/** Gives a file another name. */
export function RenameDialog({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const [name, setName] = useState(file.name)
  const rename = useRenameFile()
  const isEmpty = name.trim() === ''
  function submit(): void {
    if (isEmpty || rename.isPending) return
    if (name.trim() === file.name) onClose()
    else rename.mutate({ id: file.id, name }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Rename file"
      submitLabel={rename.isPending ? 'Saving...' : 'Rename'}
      isDirty={name !== file.name}
      isSaving={rename.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={255}
        dir="auto"
        autoComplete="off"
        data-autofocus
        error={
          isEmpty
            ? 'A file needs a name.'
            : rename.isError && `Not renamed: ${errorMessage(rename.error)}`
        }
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onFocus={({ currentTarget }) => selectStem(currentTarget)}
      />
    </FormDialog>
  )
}

/** The ending mostly stays. */
function selectStem(input: HTMLInputElement): void {
  const end = input.value.lastIndexOf('.')
  input.setSelectionRange(0, end > 0 ? end : input.value.length)
}
