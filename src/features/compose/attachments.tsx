import { ActionIcon, Button, FileButton, Menu, Text } from '@mantine/core'
import { IconFolder, IconPaperclip, IconX } from '@tabler/icons-react'
import { shownSize } from '#domain/files.ts'
import { type AttachedFile, sizeOf } from '#domain/mail-draft.ts'
import { mostAttachedBytes } from '#domain/outgoing-mail.ts'
import { FileIcon, useFiles } from '#features/files/index.ts'
import type { MailSubject } from '#features/forms/index.ts'
import { showToast } from '#ui/toast.tsx'
import classes from './composer.module.css'

type AttachmentsProps = {
  files: AttachedFile[]
  /** The record whose files are offered, and on which new ones are kept; null while there is none. */
  subject: MailSubject | null
  onAdd: (files: File[]) => void
  onChange: (files: AttachedFile[]) => void
  error: string | null
}

/** The files that go along. */
export function Attachments({ files, subject, onAdd, onChange, error }: AttachmentsProps) {
  const isNew = files.some(({ isStored }) => !isStored)
  const attach = {
    variant: 'default',
    size: 'compact-sm',
    leftSection: <IconPaperclip size={14} stroke={1.5} aria-hidden />,
    children: 'Attach files',
  } as const
  return (
    <div className={classes.attachments}>
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Attached files">
          {files.map((file) => (
            <li key={file.id} className={classes.file}>
              <FileIcon name={file.name} type="" />
              <bdi className={classes.fileName} title={file.name}>
                {file.name}
              </bdi>
              <span className={classes.fileSize}>{shownSize(file.size)}</span>
              <ActionIcon
                size={24}
                aria-label={`Remove ${file.name}`}
                title="Remove"
                onClick={() => onChange(files.filter(({ id }) => id !== file.id))}
              >
                <IconX size={14} stroke={1.5} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.attachButtons}>
        {subject ? (
          <FileButton multiple onChange={onAdd}>
            {(props) => <Button {...props} {...attach} />}
          </FileButton>
        ) : (
          <Button {...attach} onClick={() => showToast({ message: needsContact })} />
        )}
        {subject && <StoredFiles subject={subject} files={files} onChange={onChange} />}
        {files.length > 0 && (
          <Text span size="xs" c={error ? 'var(--solo-danger)' : 'dimmed'} role="status">
            {shownSize(sizeOf(files))} of {shownSize(mostAttachedBytes)}
          </Text>
        )}
      </div>
      {error && (
        <Text size="xs" c="var(--solo-danger)" role="alert">
          {error}
        </Text>
      )}
      {isNew && subject && (
        <Text size="xs" c="dimmed">
          New files are kept on <bdi>{subject.name}</bdi>.
        </Text>
      )}
    </div>
  )
}

export const needsContact = 'Add a contact first, then attach files.'

type StoredFilesProps = {
  subject: MailSubject
  files: AttachedFile[]
  onChange: (files: AttachedFile[]) => void
}

/** Chooses among the files of the record. */
function StoredFiles({ subject, files, onChange }: StoredFilesProps) {
  const { data, isPending } = useFiles({ record: subject.record, id: subject.id })
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  if (!isPending && rows.length === 0) return null
  return (
    <Menu
      closeOnItemClick={false}
      position="top-start"
      withinPortal={false}
      floatingStrategy="fixed"
      shadow="md"
      width={320}
    >
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFolder size={14} stroke={1.5} aria-hidden />}
          disabled={isPending}
          classNames={{ label: classes.cut ?? '' }}
        >
          <bdi>Files of {subject.name}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.stored ?? ''}>
        {rows.map(({ id, name, size }) => {
          const isChosen = files.some((file) => file.id === id)
          return (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={isChosen}
              data-chosen={isChosen || undefined}
              leftSection={<FileIcon name={name} type="" />}
              onClick={() =>
                onChange(
                  isChosen
                    ? files.filter((file) => file.id !== id)
                    : [...files, { id, name, size, isStored: true }],
                )
              }
            >
              <span className={classes.choice}>
                <bdi className={classes.fileName}>{name}</bdi>
                <span className={classes.choiceAddress}>
                  {shownSize(size)}
                  {isChosen && ' · attached'}
                </span>
              </span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
