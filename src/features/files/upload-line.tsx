import { ActionIcon, Button, Progress } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { shownSize } from '#domain/files.ts'
import { RecordLine } from '#ui/record-lines.tsx'
import { FileIcon } from './file-icon.tsx'
import classes from './files.module.css'
import { type Job, retryUpload, stopUpload } from './upload-queue.ts'

/** A file on its way, or why it did not arrive. */
export function UploadLine({ job }: { job: Job }) {
  const { id, name, size, sent, state, problem, canRetry } = job
  const percent = Math.floor((100 * sent) / Math.max(size, 1))
  return (
    <RecordLine
      name={name}
      avatar={<FileIcon name={name} type="" />}
      about={
        <span className={classes.state}>
          {state === 'failed' ? (
            <span className={classes.problem} role="alert">
              {problem}
            </span>
          ) : (
            <>
              <Progress size="xs" value={percent} aria-label={`Sending ${name}`} />
              {state === 'waiting' ? 'Waiting' : `${shownSize(sent)} of ${shownSize(size)}`}
            </>
          )}
        </span>
      }
      badge={
        <>
          {state === 'failed' && canRetry && (
            <Button variant="default" size="compact-sm" onClick={() => retryUpload(id)}>
              Try again
            </Button>
          )}
          <ActionIcon
            aria-label={state === 'failed' ? `Dismiss ${name}` : `Stop sending ${name}`}
            title={state === 'failed' ? 'Dismiss' : 'Stop'}
            onClick={() => stopUpload(id)}
          >
            <IconX size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </>
      }
    />
  )
}
