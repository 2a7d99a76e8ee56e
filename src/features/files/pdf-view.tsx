import { Loader, Text } from '@mantine/core'
import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { pdfProblems } from './pdf-problems.ts'
import classes from './preview.module.css'

GlobalWorkerOptions.workerSrc = workerUrl

/** The pages of a PDF file, drawn as pictures: nothing in it runs, and no link in it can be followed. */
export function PdfView({ content }: { content: Blob }) {
  const [pages, setPages] = useState<PDFPageProxy[]>([])
  const [count, setCount] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [missing, setMissing] = useState<string[]>([])
  useEffect(() => {
    let isOver = false
    let opened: PDFDocumentProxy | undefined
    const controller = { destroy: () => {} }
    async function open(): Promise<void> {
      const data = new Uint8Array(await content.arrayBuffer())
      if (isOver) return
      // Before the worker takes the bytes.
      setMissing(pdfProblems(data))
      const task = getDocument({
        data,
        isEvalSupported: false,
        useWasm: false,
        enableXfa: false,
        stopAtErrors: false,
      })
      controller.destroy = () => void task.destroy()
      opened = await task.promise
      if (isOver) return
      setCount(opened.numPages)
      for (let number = 1; number <= opened.numPages && !isOver; number += 1) {
        const page = await opened.getPage(number)
        if (!isOver) setPages((before) => [...before, page])
      }
    }
    open().catch((error: unknown) => {
      if (!isOver) setProblem(wordsFor(error))
    })
    return () => {
      isOver = true
      setPages([])
      controller.destroy()
    }
  }, [content])
  if (problem) {
    return (
      <div className={classes.message} role="alert">
        <Text size="sm">{problem}</Text>
      </div>
    )
  }
  return (
    <div className={classes.pages} role="document" aria-label={`PDF, ${count ?? '…'} pages`}>
      {missing.length > 0 && (
        <Text size="sm" c="dimmed" role="status" ta="center">
          {missing.join(' ')} Download it to see all of it.
        </Text>
      )}
      {pages.length === 0 && <Loader size="sm" className={classes.loader ?? ''} />}
      {pages.map((page) => (
        <Page key={page.pageNumber} page={page} count={count ?? 0} />
      ))}
    </div>
  )
}

function wordsFor(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return name === 'PasswordException'
    ? 'This PDF has a password. Download it to open it.'
    : 'This PDF can’t be shown. Download it to open it.'
}

/** A page is drawn when it comes near: a long file has hundreds. */
function Page({ page, count }: { page: PDFPageProxy; count: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setIsNear] = useState(false)
  const { width, height } = page.getViewport({ scale: 1 })
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '800px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = canvas.current
    if (!element || !isNear) return
    const scale = (Math.min(element.clientWidth, 1600) * Math.min(devicePixelRatio, 2)) / width
    const viewport = page.getViewport({ scale: scale || 1 })
    element.width = viewport.width
    element.height = viewport.height
    const task = page.render({ canvas: element, viewport })
    // What is scrolled away before it is drawn is given up.
    task.promise.catch(() => {})
    return () => {
      task.cancel()
      // Frees its memory.
      element.width = 0
    }
  }, [page, isNear, width])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`Page ${page.pageNumber} of ${count}`}
      className={classes.page}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  )
}
