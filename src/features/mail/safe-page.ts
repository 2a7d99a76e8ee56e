import createPurifier from 'dompurify'

/**
 * The page of a mail, without anything that acts, the remote pictures that it would load, and the ids of those that it
 * brings along itself.
 */
export type SafePage = { html: string; pictures: string[]; inline: string[] }

/** Marks a remote picture that is not loaded until the user asks for it. */
const waiting = 'data-picture'

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  // Pictures come as text of the page itself, or out of this window: nothing is ever loaded by it.
  'img-src data: blob:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

/**
 * Cleans the HTML of a mail for a frame without rights. Scripts, forms, frames and everything that loads something go;
 * remote pictures wait. Should this function miss something, the policy of the page and the frame's sandbox still stop it.
 */
export function safePage(raw: string, shown: ReadonlyMap<string, string> = new Map()): SafePage {
  const purifier = createPurifier(window)
  const pictures: string[] = []
  const inline: string[] = []
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName === 'A') {
      const href = node.getAttribute('href') ?? ''
      if (!/^(https?:|mailto:|tel:)/i.test(href)) node.removeAttribute('href')
      node.setAttribute('target', '_blank')
      node.setAttribute('rel', 'noopener noreferrer nofollow')
    }
    for (const name of ['background', 'srcset', 'poster', 'lowsrc']) node.removeAttribute(name)
    const style = node.getAttribute('style')
    if (style && /url\s*\(|image-set|@import|expression|\\/i.test(style)) {
      node.removeAttribute('style')
    }
    if (node.tagName !== 'IMG') return
    const source = node.getAttribute('src') ?? ''
    if (/^data:image\/(png|jpe?g|gif|webp);/i.test(source)) return
    node.removeAttribute('src')
    if (/^cid:/i.test(source)) {
      const id = idOf(source)
      if (!inline.includes(id)) inline.push(id)
      const brought = shown.get(`cid:${id}`)
      if (brought) node.setAttribute('src', brought)
      return
    }
    if (!/^https?:/i.test(source)) return
    const picture = shown.get(source)
    if (picture) node.setAttribute('src', picture)
    else {
      node.setAttribute(waiting, '')
      if (!pictures.includes(source)) pictures.push(source)
    }
  })
  const body = purifier.sanitize(raw, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: [
      ...['style', 'link', 'meta', 'base', 'form', 'input', 'button', 'select', 'textarea'],
      ...['iframe', 'object', 'embed', 'audio', 'video', 'source', 'track', 'dialog'],
    ],
    FORBID_ATTR: ['id', 'name', 'class', 'action', 'formaction', 'ping', 'autofocus', 'srcdoc'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  purifier.removeAllHooks()
  // Mails are made for a white page.
  const style =
    'html{color-scheme:light}body{margin:0;padding:12px;background:#fff;color:#17181c;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto}table{max-width:100%}'
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>`
  return {
    html: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
    pictures,
    inline,
  }
}

/** The id of a part of the same mail, as the part itself writes it. */
function idOf(source: string): string {
  const written = source.slice('cid:'.length)
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
