import { Button, FileButton } from '@mantine/core'
import { type Icon, IconPaperclip } from '@tabler/icons-react'

type ChooseButtonProps = {
  label: string
  onFiles: (files: File[]) => void
  icon?: Icon
  /** Takes a photo instead. */
  isCamera?: boolean
  /** Among the fields of a form, not in the head of a section. */
  isInForm?: boolean
}

/** Opens the browser's dialog for files, or the camera of a phone. */
export function ChooseButton(props: ChooseButtonProps) {
  const { label, onFiles, icon: Mark = IconPaperclip, isCamera = false, isInForm = false } = props
  return (
    <FileButton
      multiple
      {...(isCamera ? { accept: 'image/*', inputProps: { capture: 'environment' } } : {})}
      onChange={(chosen) => chosen.length > 0 && onFiles(chosen)}
    >
      {(button) => (
        <Button
          {...button}
          variant="subtle"
          {...(isInForm ? { color: 'gray' } : { size: 'compact-sm' })}
          leftSection={<Mark size={isInForm ? 16 : 14} stroke={1.5} aria-hidden />}
        >
          {label}
        </Button>
      )}
    </FileButton>
  )
}
