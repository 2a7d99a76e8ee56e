import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { shownSize } from '#domain/files.ts'
import { useIsOffline } from '#lib/network.ts'
import { ChooseButton } from './choose-button.tsx'
import { FileIcon } from './file-icon.tsx'
import classes from './files.module.css'

type AttachFilesProps = { files: File[]; onChange: (files: File[]) => void }

/** The files that go with a note, sent once it is saved. */
export function AttachFiles({ files, onChange }: AttachFilesProps) {
  const isOffline = useIsOffline()
  return (
    <div className={classes.attach}>
      {files.length > 0 && (
        <ul className={classes.chips} aria-label="Files to attach">
          {files.map((file, place) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`} className={classes.chip}>
              <FileIcon name={file.name} type="" />
              <bdi className={classes.chipName} title={file.name}>
                {file.name}
              </bdi>
              <span className={classes.size}>{shownSize(file.size)}</span>
              <ActionIcon
                size={24}
                aria-label={`Remove ${file.name}`}
                title="Remove"
                onClick={() => onChange(files.filter((_, at) => at !== place))}
              >
                <IconX size={14} stroke={1.5} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <ChooseButton
        label="Attach files"
        isInForm
        onFiles={(chosen) => onChange([...files, ...chosen])}
      />
      {isOffline && files.length > 0 && (
        <Text size="xs" c="dimmed" role="status">
          You’re offline. Files upload when you’re back online, if this page stays open.
        </Text>
      )}
    </div>
  )
}
