/** What a letter says. Everything is plain text; the letter escapes it. */
export type LetterParts = {
  title: string
  lines: string[]
  action?: { label: string; url: string }
  code?: string
  sections?: LetterSection[]
  notes: string[]
  /** Below everything, small. */
  links?: LetterLink[]
}

type LetterLink = { label: string; url: string }

/** Lines with links under a heading. */
type LetterSection = {
  title: string
  lines: { text: string; about: string; url: string }[]
  more: LetterLink | null
}

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

// For mail programs with a dark mode; the others use the inline light colours. The mail must load nothing from
// elsewhere.
const darkColours = [
  '.page{background:#0f1014!important}',
  '.card{background:#16171d!important;border-color:#26272f!important}',
  '.ink{color:#ececf1!important}',
  '.quiet{color:#9a9cab!important}',
  '.link{color:#8e8ff8!important}',
].join('')

/** One letter in the product's look, and the same words as plain text. */
export function writeLetter(parts: LetterParts): { text: string; html: string } {
  return { text: writeText(parts), html: writeHtml(parts) }
}

function writeText({ title, lines, action, code, sections, notes, links }: LetterParts): string {
  const blocks = [title, ...lines]
  for (const { title: heading, lines: entries, more } of sections ?? []) {
    const texts = entries.map(({ text, about, url }) =>
      [`- ${text}`, ...(about ? [`  ${about}`] : []), `  ${url}`].join('\n'),
    )
    if (more) texts.push(`  ${more.label}: ${more.url}`)
    blocks.push(`${heading.toUpperCase()}\n${texts.join('\n')}`)
  }
  if (action) blocks.push(`${action.label}:\n${action.url}`)
  if (code) blocks.push(code)
  if (notes.length > 0) blocks.push(notes.join('\n'))
  for (const { label, url } of links ?? []) blocks.push(`${label}:\n${url}`)
  blocks.push('Solo CRM')
  return `${blocks.join('\n\n')}\n`
}

function writeHtml({ title, lines, action, code, sections, notes, links }: LetterParts): string {
  const ink = `margin:0 0 16px;font:14px/1.5 ${font};color:#17181c`
  const quiet = `margin:0 0 8px;font:12px/1.5 ${font};color:#5f6370`
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font:600 20px/1.3 ${font};letter-spacing:-0.01em;color:#17181c">${escapeHtml(title)}</h1>`,
    ...lines.map((line) => `<p class="ink" style="${ink}">${escapeHtml(line)}</p>`),
  ]
  for (const section of sections ?? []) body.push(...sectionHtml(section))
  if (action) {
    const url = escapeHtml(action.url)
    body.push(
      `<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#5b5bd6;font:600 14px/1.4 ${font};color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
      `<p class="quiet" style="${quiet};word-break:break-all">If the button doesn’t work, open this link:<br><a class="link" href="${url}" style="color:#5b5bd6">${url}</a></p>`,
    )
  }
  if (code) {
    body.push(
      `<p class="ink" style="margin:0 0 16px;font:600 28px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:0.12em;color:#17181c">${escapeHtml(code)}</p>`,
    )
  }
  body.push(...notes.map((note) => `<p class="quiet" style="${quiet}">${escapeHtml(note)}</p>`))
  const shownLinks = (links ?? []).map(
    ({ label, url }) =>
      `<a class="link" href="${escapeHtml(url)}" style="color:#5b5bd6">${escapeHtml(label)}</a>`,
  )
  if (shownLinks.length > 0) {
    body.push(`<p class="quiet" style="${quiet}">${shownLinks.join(' · ')}</p>`)
  }
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>@media (prefers-color-scheme:dark){${darkColours}}</style></head>`,
    '<body class="page" style="margin:0;background:#fafafb">',
    '<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fafafb"><tr><td align="center" style="padding:32px 16px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px"><tr>',
    `<td class="ink" style="padding:0 0 16px;font:600 14px/1.4 ${font};color:#17181c">Solo CRM</td></tr><tr>`,
    '<td class="card" style="padding:24px;background:#ffffff;border:1px solid #e7e7ec;border-radius:8px">',
    body.join('\n'),
    '</td></tr></table></td></tr></table></body></html>\n',
  ].join('\n')
}

function sectionHtml({ title, lines, more }: LetterSection): string[] {
  const quiet = `font:12px/1.5 ${font};color:#5f6370`
  const link = 'color:#5b5bd6;text-decoration:none'
  return [
    `<h2 class="ink" style="margin:20px 0 6px;font:600 14px/1.4 ${font};color:#17181c">${escapeHtml(title)}</h2>`,
    ...lines.map(
      ({ text, about, url }) =>
        `<p class="quiet" style="margin:0 0 8px;${quiet};overflow-wrap:anywhere"><a class="link" href="${escapeHtml(url)}" style="font:500 14px/1.5 ${font};${link}">${escapeHtml(text)}</a>${about ? `<br>${escapeHtml(about)}` : ''}</p>`,
    ),
    ...(more
      ? [
          `<p class="quiet" style="margin:0 0 8px;${quiet}"><a class="link" href="${escapeHtml(more.url)}" style="${link}">${escapeHtml(more.label)}</a></p>`,
        ]
      : []),
  ]
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
