import ReactMarkdown, { type Components } from 'react-markdown'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import classes from './markdown.module.css'

type MarkdownTextProps = { text: string }

/** A default export because React loads it lazily. */
export default function MarkdownText({ text }: MarkdownTextProps) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm, remarkBreaks]}
      components={components}
      urlTransform={safeAddress}
    >
      {text}
    </ReactMarkdown>
  )
}

/** Only addresses that lead to a page or a mail ever become links. */
function safeAddress(address: string): string {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : ''
}

// The page has its own headings; those of a text only look like some.
const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  // A picture from elsewhere would tell its host who reads this, and when.
  img: ({ src, alt }) => <Link href={src}>{alt || src || 'Picture'}</Link>,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
}

type LinkProps = { href?: unknown; children?: React.ReactNode }

function Link({ href, children }: LinkProps) {
  if (typeof href !== 'string' || href === '') return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function Heading({ children }: { children?: React.ReactNode }) {
  return <p className={classes.heading}>{children}</p>
}
