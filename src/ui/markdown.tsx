import { lazyPart } from './lazy-part.tsx'
import classes from './markdown.module.css'

type MarkdownProps = { text: string }

// Only what is written in Markdown needs its code; without it the text is still there to be read.
const MarkdownText = lazyPart(async () => (await import('./markdown-text.tsx')).MarkdownText, {
  loading: ({ text }) => <p className={classes.plain}>{text}</p>,
})

/** Text as its writer meant it: emphasis, lists and links, and nothing that runs or loads. */
export function Markdown({ text }: MarkdownProps) {
  return (
    <div className={classes.text} dir="auto">
      <MarkdownText text={text} />
    </div>
  )
}
