import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { shownDay } from '#domain/dates.ts'
import { shownSize } from '#domain/files.ts'
import { tableOf } from '#domain/timeline.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import { RecordLine } from '#ui/record-lines.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import { FileIcon } from './file-icon.tsx'
import classes from './files.module.css'
import { type StoredFile, useDeleteFile } from './queries.ts'
import { saveStoredFile } from './save-stored-file.ts'

const RenameDialog = openedPart(async () => (await import('./rename-dialog.tsx')).RenameDialog)

/** A file with what can be done with it. */
export function FileLine({ file, onOpen }: { file: StoredFile; onOpen: () => void }) {
  const timeZone = useTimeZone()
  const remove = useDeleteFile()
  const [isRenaming, setIsRenaming] = useState(false)
  const { name, type, size, created_at, origin, note_id } = file
  return (
    <>
      <RecordLine
        name={name}
        open={{ onClick: onOpen }}
        avatar={<FileIcon name={name} type={type} />}
        about={
          <>
            {shownSize(size)} · {shownDay(created_at, timeZone)}
            {note_id && ' · on a note'}
            {origin && (
              <>
                {' · '}
                <Link to={`/app/${tableOf(origin.record)}/${origin.id}`} className={classes.origin}>
                  <bdi>{origin.name}</bdi>
                </Link>
              </>
            )}
          </>
        }
        badge={
          <MenuButton
            label={`Actions for ${name}`}
            title="Actions"
            icon={<IconDots size={16} stroke={1.5} aria-hidden />}
          >
            {(menu) => (
              <RowMenu {...menu}>
                <Menu.Item onClick={() => saveStoredFile(file)}>Download</Menu.Item>
                <Menu.Item onClick={() => setIsRenaming(true)}>Rename</Menu.Item>
                {/* The mutation reports a failure. */}
                <Menu.Item onClick={() => remove(file).catch(() => {})}>Delete</Menu.Item>
              </RowMenu>
            )}
          </MenuButton>
        }
      />
      {isRenaming && <RenameDialog file={file} onClose={() => setIsRenaming(false)} />}
    </>
  )
}
