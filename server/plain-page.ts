import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'

export type Markup = ReturnType<typeof html>

// The colours and sizes of the product: src/ui/tokens.ts. The page has no other file.
const style = `
:root{color-scheme:light dark;--page:#fafafb;--surface:#fff;--line:#d3d4dc;--hair:#e7e7ec;--text:#17181c;--quiet:#5f6370;--accent:#5b5bd6;--on:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--page:#0f1014;--surface:#16171d;--line:#3a3b45;--hair:#26272f;--text:#ececf1;--quiet:#9a9cab;--accent:#8e8ff8;--on:#0f1014;--bad:#ff9b93}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:560px;margin:0 auto;padding:48px 24px}
.card{background:var(--surface);border:1px solid var(--hair);border-radius:12px;padding:32px}
h1{margin:0 0 8px;font-size:24px;line-height:1.25;font-weight:600;letter-spacing:-.015em}
.intro{margin:0;color:var(--quiet);white-space:pre-line}
form{display:grid;gap:20px;margin-top:24px}
label,legend{display:block;padding:0;margin:0 0 6px;font-size:14px;font-weight:500}
.mark{color:var(--quiet);font-weight:400}
input,textarea,select{display:block;width:100%;min-height:44px;padding:9px 12px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:inherit;font:inherit}
textarea{min-height:132px;resize:vertical}
fieldset{margin:0;padding:0;border:0}
.box{display:flex;gap:10px;align-items:center;min-height:36px;margin:0;font-size:16px;font-weight:400}
.box input{width:20px;min-height:20px;margin:0;flex:none;accent-color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
[aria-invalid]{border-color:var(--bad)}
.error{margin:6px 0 0;color:var(--bad);font-size:14px}
.problem{margin:20px 0 0;padding:12px 14px;border:1px solid var(--bad);border-radius:8px;color:var(--bad);font-size:15px}
button{justify-self:start;min-height:44px;padding:0 20px;border:0;border-radius:8px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
button:hover{filter:brightness(1.06)}
.note{margin:16px 0 0;color:var(--quiet);font-size:14px}
.choice{display:grid;grid-template-columns:20px 1fr;gap:2px 10px;margin:0;padding:10px 0;font-size:16px;font-weight:500;cursor:pointer}
.choice input{width:20px;height:20px;min-height:20px;margin:2px 0 0;padding:0;accent-color:var(--accent)}
.choice span{grid-column:2;color:var(--quiet);font-size:14px;font-weight:400}
.facts{margin:20px 0 0;padding:14px 16px;border:1px solid var(--hair);border-radius:8px;background:var(--page);font-size:14px}
.facts dt{color:var(--quiet)}
.facts dd{margin:0 0 8px;font-weight:600}
.facts dd:last-child{margin:0}
.buttons{display:flex;flex-wrap:wrap;gap:12px}
.plain{background:none;border:1px solid var(--line);color:inherit}
.trap{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
footer{margin-top:16px;color:var(--quiet);font-size:12px;text-align:center}
@media (max-width:480px){main{padding:16px}.card{padding:24px 20px}button{width:100%}}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * What the browser may do on such a page: show it, and send its form to us.
 * @param next where a form may lead besides
 */
export function pagePolicy(next = ''): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${next && ` ${next}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A page that needs no script and no other file, in the colours of the product. */
export function plainPage(
  title: string,
  content: Markup,
  more: { head?: Markup; foot?: string } = {},
): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${more.head ?? ''}
<style>${raw(style)}</style>
</head>
<body>
<main><div class="card">${content}</div><footer>${more.foot ?? 'Made with Solo CRM'}</footer></main>
</body>
</html>`
}

/** Words in place of what was asked for. */
export function messagePage(title: string, words: string) {
  return plainPage(title, html`<h1>${title}</h1><p class="intro">${words}</p>`)
}
