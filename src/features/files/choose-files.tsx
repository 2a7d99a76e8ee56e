import { Button, type ButtonProps, FileButton } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

type ChooseFilesProps = Pick<ButtonProps, 'color' | 'size'> & {
  icon: Icon
  onFiles: (files: File[]) => void
  /** Takes one picture with the camera, instead of choosing among what is there. */
  isPhoto?: boolean
  children: string
}

/** A button that asks for files. */
export function ChooseFiles({
  icon: Picture,
  onFiles,
  isPhoto,
  children,
  ...look
}: ChooseFilesProps) {
  const photo = { accept: 'image/*', inputProps: { capture: 'environment' } } as const
  return (
    <FileButton
      multiple={!isPhoto}
      onChange={(chosen) => onFiles([chosen ?? []].flat())}
      {...(isPhoto ? photo : {})}
    >
      {(props) => (
        <Button
          {...props}
          {...look}
          variant="subtle"
          leftSection={<Picture size={look.size ? 14 : 16} stroke={1.5} aria-hidden />}
        >
          {children}
        </Button>
      )}
    </FileButton>
  )
}
