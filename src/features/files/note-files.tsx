import { UnstyledButton } from '@mantine/core'
import { shownSize } from '#domain/files.ts'
import { useOpenParam } from '#lib/use-open-param.ts'
import { FileIcon } from './file-icon.tsx'
import { fileParam } from './file-param.ts'
import classes from './files.module.css'
import { type Subject, useFiles } from './queries.ts'

/** The files of one note. The card of the record's files shows the one that is opened. */
export function NoteFiles({ subject, note }: { subject: Subject; note: string }) {
  const files = useFiles(subject)
  const opened = useOpenParam(fileParam)
  const own =
    files.data?.pages.flatMap(({ rows }) => rows.filter((row) => row.note_id === note)) ?? []
  if (own.length === 0) return null
  return (
    <ul className={classes.chips} aria-label="Files of this note">
      {own.map(({ id, name, type, size }) => (
        <li key={id}>
          <UnstyledButton
            className={classes.chip ?? ''}
            title={name}
            onClick={() => opened.open(id)}
          >
            <FileIcon name={name} type={type} />
            <bdi className={classes.chipName}>{name}</bdi>
            <span className={classes.size}>{shownSize(size)}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
