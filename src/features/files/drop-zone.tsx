import { Portal } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTimeZone } from '#features/preferences/index.ts'
import { hasDialog } from '#ui/has-dialog.ts'
import classes from './files.module.css'
import { droppedFiles, pastedFiles } from './files-in.ts'

type DropZoneProps = {
  /** What the record is called. */
  name: string
  onFiles: (files: File[]) => void
}

/** Takes files that are dropped anywhere on the page, or pasted. What takes them itself stops the event. */
export function DropZone({ name, onFiles }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  const timeZone = useTimeZone()
  const take = useEffectEvent((event: Event, files: File[]) => {
    if (files.length === 0) return
    // Without this, the browser would leave the page for the file.
    event.preventDefault()
    if (!hasDialog()) onFiles(files)
  })
  const takePasted = useEffectEvent((event: ClipboardEvent) =>
    take(event, pastedFiles(event.clipboardData, timeZone)),
  )
  useEffect(() => {
    function over(event: DragEvent): void {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setIsOver(!hasDialog())
    }
    function leave(event: DragEvent): void {
      // Null when the pointer has left the window.
      if (event.relatedTarget === null) setIsOver(false)
    }
    function drop(event: DragEvent): void {
      setIsOver(false)
      take(event, droppedFiles(event.dataTransfer))
    }
    const paste = (event: ClipboardEvent) => {
      if (!event.defaultPrevented) takePasted(event)
    }
    const end = () => setIsOver(false)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    window.addEventListener('drop', end, true)
    window.addEventListener('paste', paste)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
      window.removeEventListener('drop', end, true)
      window.removeEventListener('paste', paste)
    }
  }, [])
  if (!isOver) return null
  return (
    <Portal>
      <div className={classes.drop} data-drop-zone>
        <div className={classes.dropWords}>
          <IconUpload size={20} stroke={1.5} aria-hidden />
          <span>
            Drop files to add them to <bdi>{name}</bdi>
          </span>
        </div>
      </div>
    </Portal>
  )
}
