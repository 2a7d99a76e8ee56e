import { escapeHtml, fillIn, fillInHtml, type Recipient } from './mail-merge.ts'

/** A text as HTML that says the same: a paragraph a line, as the editor writes it. */
export function textToHtml(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `<p>${spaced(escapeHtml(line))}</p>`)
    .join('')
}

/** Spaces that HTML would join stay apart. */
function spaced(line: string): string {
  return line.replace(/^ | {2,}/g, (spaces) => '&nbsp;'.repeat(spaces.length))
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decoded(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** A tag, a comment's begin, or a piece of text. Nothing in it looks further than the next bracket: pages can be long. */
const piece = /<!--|<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|<[!?/][^<>]*>|[^<]+|</gi

/** Whose content is never read. */
const unread = new Set(['script', 'style', 'head', 'title', 'template'])

const blocks = new Set([
  ...['p', 'div', 'ul', 'ol', 'li', 'blockquote', 'table', 'tr', 'section', 'article', 'pre', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'footer'],
])

/** What surrounds a line: a quote, or an entry of a list with its mark. */
type Around = { tag: 'blockquote' | 'li'; mark: string; isMarked: boolean }

/**
 * The plain text of HTML, for mail programs that show no other: lists with their marks, quotes with '>', links with their
 * address. A paragraph is a line, as the editor shows it.
 */
export function htmlToText(html: string): string {
  const lines: string[] = []
  const around: Around[] = []
  /** For each open list, the number of its next entry; null without numbers. */
  const lists: (number | null)[] = []
  /** How many lines there were when each open paragraph began. */
  const paragraphs: number[] = []
  const links: { address: string; from: number }[] = []
  let line: string | null = null

  function prefix(): string {
    return around
      .map((each) => {
        if (each.tag === 'blockquote') return '> '
        const shown = each.isMarked ? ' '.repeat(each.mark.length) : each.mark
        each.isMarked = true
        return shown
      })
      .join('')
  }
  function begin(): void {
    line ??= prefix()
  }
  function end(): void {
    if (line !== null) lines.push(line.trimEnd())
    line = null
  }
  function write(text: string): void {
    const words = decoded(text.replace(/[ \t\r\n]+/g, ' '))
    if (line === null && words.trim() === '' && !text.includes('&nbsp;')) return
    const isFirst = line === null
    begin()
    line += isFirst && !text.startsWith('&nbsp;') ? words.replace(/^ /, '') : words
  }
  function open(tag: string, attributes: string): void {
    if (blocks.has(tag)) end()
    if (tag === 'p') paragraphs.push(lines.length)
    if (tag === 'ul') lists.push(null)
    if (tag === 'ol') lists.push(Number(/start="?(\d+)/.exec(attributes)?.[1] ?? 1))
    if (tag === 'blockquote') around.push({ tag, mark: '> ', isMarked: true })
    if (tag === 'li') {
      const number = lists.at(-1) ?? null
      if (number !== null) lists[lists.length - 1] = number + 1
      around.push({ tag, mark: number === null ? '- ' : `${number}. `, isMarked: false })
    }
    if (tag === 'a') links.push({ address: hrefIn(attributes), from: (line ?? '').length })
    if (tag === 'br') {
      begin()
      end()
    }
  }
  function close(tag: string): void {
    if (tag === 'a') closeLink()
    if (tag === 'p') {
      const before = paragraphs.pop() ?? lines.length
      // An empty paragraph is an empty line.
      if (lines.length === before) begin()
    }
    if (blocks.has(tag)) end()
    if (tag === 'ul' || tag === 'ol') lists.pop()
    if (tag === 'li' || tag === 'blockquote') {
      const place = around.findLastIndex((each) => each.tag === tag)
      if (place >= 0) around.splice(place, 1)
    }
  }
  function closeLink(): void {
    const link = links.pop()
    if (!link || line === null) return
    const words = line.slice(link.from).trim()
    const bare = link.address.replace(/^mailto:/i, '')
    const isSaid = words === '' || [link.address, bare, `${words}/`].some((each) => each === words)
    if (!isSaid && link.address !== '' && bare.replace(/^https?:\/\/|\/$/g, '') !== words) {
      line += ` <${bare}>`
    }
  }

  /** What is skipped: all until the end of this tag. */
  let skipped: string | null = null
  for (const [whole, slash, name = '', attributes = ''] of html.matchAll(piece)) {
    const tag = name.toLowerCase()
    if (skipped === '!') {
      const end = whole.indexOf('-->')
      if (end < 0) continue
      skipped = null
      write(whole.slice(end + 3))
    } else if (skipped) {
      if (slash && tag === skipped) skipped = null
    } else if (whole === '<!--') skipped = '!'
    else if (!slash && unread.has(tag)) skipped = tag
    else if (tag && slash) close(tag)
    else if (tag) open(tag, attributes)
    else if (!/^<[!?/]/.test(whole)) write(whole)
  }
  end()
  return lines.join('\n')
}

function hrefIn(attributes: string): string {
  const [, double, single] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? []
  return decoded(double ?? single ?? '')
}

/** Whether nobody has written anything: only empty paragraphs. */
export function isBlankHtml(html: string): boolean {
  return htmlToText(html).trim() === ''
}

/** The HTML of the editor as it is sent: lines as close as they were typed, whatever program shows it. */
function forMailPrograms(html: string): string {
  return html
    .replaceAll('<p></p>', '<p><br></p>')
    .replaceAll('<p>', '<p style="margin:0">')
    .replaceAll(
      '<blockquote>',
      '<blockquote style="margin:0 0 0 4px;padding-left:10px;border-left:2px solid #ccc">',
    )
}

/** What is quoted in an answer. */
export type Quote = { when: string; who: string; text: string }

/** Longer ones are cut: whoever gets the answer has the mail. */
const longestQuote = 50_000

function quotedLines({ text }: Quote): string[] {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return cut.trim().split(/\r?\n/)
}

const quoteHead = ({ when, who }: Quote) => `On ${when}, ${who} wrote:`

export function quoteAsText(quote: Quote): string {
  const lines = quotedLines(quote).map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`))
  return [quoteHead(quote), ...lines.map((line) => line.trimEnd())].join('\n')
}

function quoteAsHtml(quote: Quote): string {
  const lines = quotedLines(quote).map((line) => `<p>${spaced(escapeHtml(line))}</p>`)
  return `<p>${escapeHtml(quoteHead(quote))}</p><blockquote>${lines.join('')}</blockquote>`
}

/** What is written, before it is addressed to somebody. */
export type Written = {
  /** Of the editor. */
  html: string
  signature: string | null
  quote: Quote | null
}

/** The two forms of a mail: what is written, the signature, what is quoted. */
export function mailBodies({ html, signature, quote }: Written): { text: string; html: string } {
  const sign = signature && !isBlankHtml(signature) ? signature : null
  const texts = [
    // Of a mail that is corrected, the signature is in what is written; the editor leaves its mark without the space.
    htmlToText(html).trimEnd().replaceAll(/^--$/gm, '-- '),
    // Mail programs know the signature by this line.
    ...(sign ? [`-- \n${htmlToText(sign).trimEnd()}`] : []),
    ...(quote ? [quoteAsText(quote)] : []),
  ]
  const pages = [html, ...(sign ? [sign] : []), ...(quote ? [quoteAsHtml(quote)] : [])]
  return {
    text: texts.join('\n\n'),
    html: forMailPrograms(pages.join('<p></p>')),
  }
}

/** The mail as this person gets it, with their details in place of the fields. */
export function filledInMail(
  mail: { subject: string; text: string; html: string },
  recipient: Recipient,
) {
  return {
    subject: fillIn(mail.subject, recipient),
    text: fillIn(mail.text, recipient),
    html: fillInHtml(mail.html, recipient),
  }
}
