import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, Fragment, type ReactNode } from 'react'
import classes from './markdown.module.css'

/**
 * Chosen because it is safe with hostile text: a long text of opening marks takes milliseconds, and nesting is limited
 * to a hundred levels.
 */
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true })

type MarkdownTextProps = { text: string }

export function MarkdownText({ text }: MarkdownTextProps) {
  return <>{elementsOf(parser.parse(text, {}))}</>
}

type Node = { token: Token; children: ReactNode[] }

/** Makes React elements one by one: no text ever becomes HTML. */
function elementsOf(tokens: Token[]): ReactNode[] {
  const top: ReactNode[] = []
  const open: Node[] = []
  for (const [index, token] of tokens.entries()) {
    const place = open.at(-1)?.children ?? top
    if (token.nesting === 1) open.push({ token, children: [] })
    else if (token.nesting === 0) place.push(<Fragment key={index}>{leaf(token)}</Fragment>)
    else {
      const node = open.pop()
      const parent = open.at(-1)?.children ?? top
      if (node) parent.push(<Fragment key={index}>{branch(node)}</Fragment>)
    }
  }
  return top
}

const plainTags = new Set('p strong em s ul li blockquote table thead tbody tr th td'.split(' '))

function branch({ token, children }: Node): ReactNode {
  // Paragraphs of a tight list are hidden.
  if (token.hidden) return children
  if (token.type === 'link_open') return link(token.attrGet('href'), children)
  // Headings of a text are no headings of the page.
  if (token.type === 'heading_open') return <p className={classes.heading}>{children}</p>
  if (token.tag === 'ol') return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
  return plainTags.has(token.tag) ? createElement(token.tag, null, ...children) : children
}

function leaf(token: Token): ReactNode {
  switch (token.type) {
    case 'inline':
      return elementsOf(withBoxes(token.children ?? []))
    case 'code_inline':
      return <code>{token.content}</code>
    case 'code_block':
    case 'fence':
      return (
        <pre>
          <code>{token.content}</code>
        </pre>
      )
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    // A remote picture would reveal to its host who reads this, and when.
    case 'image':
      return link(token.attrGet('src'), token.content || 'Picture')
    default:
      return token.content
  }
}

/** Only http, https and mailto addresses become links. */
function link(address: string | number | null, children: ReactNode): ReactNode {
  if (!/^(https?:\/\/|mailto:)/i.test(String(address))) return children
  return (
    <a href={String(address)} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

/** '[x] done' shows a checkbox, which cannot be clicked. */
function withBoxes(tokens: Token[]): Token[] {
  const [first, ...rest] = tokens
  const [mark] = /^\[[ xX]\] /.exec(first?.content ?? '') ?? []
  if (first?.type !== 'text' || !mark) return tokens
  const box = mark === '[ ] ' ? '☐ ' : '☑ '
  return [Object.assign(Object.create(first), { content: box + first.content.slice(4) }), ...rest]
}
