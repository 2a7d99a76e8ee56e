import { ActionIcon, Box, Button, Loader, Modal, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { shownAs, shownSize } from '#domain/files.ts'
import { readProblem } from '#lib/errors.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useFocusBack } from '#ui/use-focus-back.ts'
import { readContent } from './contents/queries.ts'
import { FileIcon } from './file-icon.tsx'
import classes from './preview.module.css'
import { type StoredFile, useOneFile } from './queries.ts'
import { saveStoredFile } from './save-stored-file.ts'

const PdfView = lazyPart(async () => (await import('./pdf-view.tsx')).PdfView, {
  loading: () => <Loader size="sm" />,
  name: 'The preview',
})

type FilePreviewProps = {
  id: string
  files: StoredFile[]
  onStep: (id: string) => void
  onClose: () => void
}

/** A file over the page: pictures and PDF files are shown, others can be downloaded. */
export function FilePreview({ id, files, onStep, onClose }: FilePreviewProps) {
  useFocusBack()
  const place = files.findIndex((file) => file.id === id)
  const other = useOneFile(place < 0 ? id : null)
  const file = files[place] ?? other.data ?? undefined
  const previous = files[place - 1]
  const next = place < 0 ? undefined : files[place + 1]
  const [isNarrow] = useState(() => window.matchMedia('(max-width: 48em)').matches)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const to = { ArrowLeft: previous, ArrowRight: next }[event.key]
    if (!to) return
    event.preventDefault()
    onStep(to.id)
  })
  // Of the window: the focus may not be in the dialog yet.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen={isNarrow}
      title={<span className={classes.title}>{file?.name ?? 'File'}</span>}
      size="min(1100px, 94vw)"
      yOffset="4dvh"
      classNames={{
        content: classes.content ?? '',
        body: classes.body ?? '',
        title: classes.heading ?? '',
      }}
    >
      {/* Scrolled by keys, too. */}
      <Box component="section" className={classes.stage ?? ''} aria-label="Content" tabIndex={0}>
        {file ? (
          <Shown key={file.id} file={file} />
        ) : (
          <Message words={other.isPending ? 'Loading file...' : 'This file no longer exists.'} />
        )}
      </Box>
      <div className={classes.foot}>
        <ActionIcon
          size={36}
          aria-label="Previous file"
          title="Previous file"
          disabled={!previous}
          onClick={() => previous && onStep(previous.id)}
        >
          <IconChevronLeft size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size={36}
          aria-label="Next file"
          title="Next file"
          disabled={!next}
          onClick={() => next && onStep(next.id)}
        >
          <IconChevronRight size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
        <Text size="xs" c="dimmed" className={classes.about ?? ''}>
          {place >= 0 && files.length > 1 && `${place + 1} of ${files.length} · `}
          {file && shownSize(file.size)}
        </Text>
        {file && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
            onClick={() => saveStoredFile(file)}
          >
            Download
          </Button>
        )}
      </div>
    </Modal>
  )
}

function Shown({ file }: { file: StoredFile }) {
  const [round, setRound] = useState(0)
  const as = shownAs(file.type)
  if (as === 'download') {
    return (
      <div className={classes.message}>
        <FileIcon name={file.name} type={file.type} />
        <Text size="sm">There’s no preview for this kind of file. Download it to open it.</Text>
      </div>
    )
  }
  return <Content key={round} file={file} as={as} onRetry={() => setRound(round + 1)} />
}

type ContentProps = { file: StoredFile; as: 'image' | 'pdf'; onRetry: () => void }

function Content({ file, as, onRetry }: ContentProps) {
  const { content, error } = useContent(file)
  if (error) {
    return (
      <div className={classes.message} role="alert">
        <Text size="sm">{readProblem(error)}</Text>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </div>
    )
  }
  if (!content) return <Message words="Loading file..." isBusy />
  return as === 'pdf' ? (
    <PdfView content={content} />
  ) : (
    <Picture content={content} name={file.name} />
  )
}

/** What a file holds. Not in the cache of reads, which is written to the device. */
function useContent({ sha256, size, type }: StoredFile) {
  const [content, setContent] = useState<Blob | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    readContent({ sha256, size }, type, signal).then(
      (read) => !signal.aborted && setContent(read),
      (problem: unknown) => !signal.aborted && setError(problem),
    )
    return () => controller.abort()
  }, [sha256, size, type])
  return { content, error }
}

function Picture({ content, name }: { content: Blob; name: string }) {
  const [url, setUrl] = useState<string>()
  const [isBroken, setIsBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  if (isBroken) return <Message words="This picture can’t be shown. Download it to open it." />
  if (!url) return null
  return <img src={url} alt={name} className={classes.picture} onError={() => setIsBroken(true)} />
}

function Message({ words, isBusy = false }: { words: string; isBusy?: boolean }) {
  return (
    <div className={classes.message} role="status">
      {isBusy && <Loader size="sm" />}
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    </div>
  )
}
