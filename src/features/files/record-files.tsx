import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { shownNumber } from '#domain/figures.ts'
import { readProblem } from '#lib/errors.ts'
import { useIsOffline } from '#lib/network.ts'
import { useOpenParam } from '#lib/use-open-param.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { ChooseButton } from './choose-button.tsx'
import { DropZone } from './drop-zone.tsx'
import { FileLine } from './file-line.tsx'
import { fileParam } from './file-param.ts'
import classes from './files.module.css'
import { type Subject, useFiles } from './queries.ts'
import { UploadLine } from './upload-line.tsx'
import { addFiles, useUploads } from './upload-queue.ts'

const FilePreview = openedPart(async () => (await import('./file-preview.tsx')).FilePreview)

const few = 5

type RecordFilesProps = {
  subject: Subject
  /** What the record is called. */
  name: string
  isGone: boolean
}

/** The files of a record, with those on their way. */
export function RecordFiles({ subject, name, isGone }: RecordFilesProps) {
  const queryClient = useQueryClient()
  const files = useFiles(subject)
  const uploads = useUploads(subject)
  const opened = useOpenParam(fileParam)
  const [isWhole, setIsWhole] = useState(false)
  const isOffline = useIsOffline()
  const rows = files.data?.pages.flatMap((page) => page.rows) ?? []
  const count = files.data?.pages[0]?.count
  const shown = isWhole ? rows : rows.slice(0, few)
  const add = (chosen: File[]) => addFiles(queryClient, chosen, subject, subject)
  return (
    <RecordSection
      title="Files"
      isLoading={files.isLoading}
      count={count === undefined ? undefined : shownNumber(count)}
      action={!isGone && <AddButtons onAdd={add} />}
    >
      {!isGone && <DropZone name={name} onFiles={add} />}
      {uploads.length > 0 && (
        <RecordLines
          label="Files on their way"
          rows={uploads}
          renderLine={(job) => <UploadLine job={job} />}
        />
      )}
      {files.isPending && <Skeleton height={40} aria-hidden />}
      {files.isError && rows.length === 0 && isOffline && (
        <Text size="sm" c="dimmed">
          Files aren’t available offline.
        </Text>
      )}
      {files.isError && rows.length === 0 && !isOffline && (
        <Group justify="space-between" gap={8} wrap="nowrap">
          <Text size="sm" c="dimmed" role="alert">
            {readProblem(files.error)}
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => files.refetch()}>
            Try again
          </Button>
        </Group>
      )}
      {files.isSuccess && rows.length === 0 && uploads.length === 0 && (
        <Text size="sm" c="dimmed">
          No files yet<span className={classes.hint}>. Drop, paste or choose them.</span>
        </Text>
      )}
      {rows.length > 0 && (
        <RecordLines
          label="Files"
          rows={shown}
          renderLine={(file) => <FileLine file={file} onOpen={() => opened.open(file.id)} />}
        />
      )}
      {!isWhole && rows.length > few && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setIsWhole(true)}>
          {`Show all ${shownNumber(count ?? rows.length)}`}
        </Button>
      )}
      {isWhole && files.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-disabled={files.isFetchingNextPage}
          onClick={() => files.fetchNextPage()}
        >
          {files.isFetchingNextPage ? 'Loading files...' : 'Show earlier files'}
        </Button>
      )}
      {opened.id && (
        <FilePreview id={opened.id} files={rows} onStep={opened.step} onClose={opened.close} />
      )}
    </RecordSection>
  )
}

function AddButtons({ onAdd }: { onAdd: (files: File[]) => void }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className={classes.camera}>
        <ChooseButton label="Take photo" icon={IconCamera} isCamera onFiles={onAdd} />
      </span>
      <ChooseButton label="Add files" onFiles={onAdd} />
    </Group>
  )
}
