import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { OwnRecord } from '#domain/fields/own.ts'
import { opens } from '#ui/lazy-part.tsx'
import { FieldDialog } from './field-dialog-part.ts'

type AddFieldButtonProps = {
  record: OwnRecord
  /** Called when the dialog opens over a form, and when it closes. */
  onCovered?: (isCovered: boolean) => void
  variant?: 'subtle' | 'default'
}

/** 'Add field': for whoever notices that one is missing. */
export function AddFieldButton({ record, onCovered, variant = 'subtle' }: AddFieldButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  function cover(next: boolean): void {
    setIsOpen(next)
    onCovered?.(next)
  }
  return (
    <>
      <Button
        variant={variant}
        {...(variant === 'subtle' ? { color: 'gray', px: 8, ml: -8 } : {})}
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        {...opens(FieldDialog, () => cover(true))}
      >
        Add field
      </Button>
      {isOpen && <FieldDialog record={record} onClose={() => cover(false)} />}
    </>
  )
}
