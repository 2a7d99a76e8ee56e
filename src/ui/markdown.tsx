import { lazyPart } from './lazy-part.tsx'
import classes from './markdown.module.css'

type MarkdownProps = { text: string }

// Only text with Markdown loads the parser; until then the plain text shows.
const MarkdownText = lazyPart(async () => (await import('./markdown-text.tsx')).MarkdownText, {
  loading: ({ text }) => <p className={classes.plain}>{text}</p>,
})

/** Markdown with emphasis, lists and links; nothing in it runs or loads. */
export function Markdown({ text }: MarkdownProps) {
  return (
    <div className={classes.text} dir="auto">
      <MarkdownText text={text} />
    </div>
  )
}
