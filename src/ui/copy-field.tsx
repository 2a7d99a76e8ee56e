import { Group, TextInput } from '@mantine/core'
import type { Ref } from 'react'
import { CopyButton } from './copy-button.tsx'

type CopyFieldProps = {
  label: string
  description?: string
  value: string
  ref?: Ref<HTMLInputElement>
}

/** A text that is read and copied, such as an address, with a button that copies it. */
export function CopyField({ label, description, value, ref }: CopyFieldProps) {
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap">
      <TextInput
        ref={ref}
        label={label}
        description={description}
        value={value}
        readOnly
        flex={1}
        miw={0}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={value} label="Copy" />
    </Group>
  )
}
