import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'

// Only what is written in Markdown needs its code.
const MarkdownText = lazy(() => import('./markdown-text.tsx'))

type MarkdownProps = { text: string }

/** Text as its writer meant it: emphasis, lists and links, and nothing that runs or loads. */
export function Markdown({ text }: MarkdownProps) {
  return (
    <div className={classes.text} dir="auto">
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <MarkdownText text={text} />
      </Suspense>
    </div>
  )
}
