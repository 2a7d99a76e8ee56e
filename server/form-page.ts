import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import {
  autocomplete,
  controlOf,
  type LeadField,
  type ShownForm,
  stampName,
  trapName,
  usualThanks,
} from '#domain/lead-form.ts'
import type { Sent } from '#domain/lead-reading.ts'

type Markup = ReturnType<typeof html>

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
.trap{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
footer{margin-top:16px;color:var(--quiet);font-size:12px;text-align:center}
@media (max-width:480px){main{padding:16px}.card{padding:24px 20px}button{width:100%}}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** What the browser may do on the page of a form: show it, and send it. */
export function formPolicy(redirectUrl: string | null): string {
  // Browsers hold the rule against the address that follows, too.
  const next = redirectUrl && URL.canParse(redirectUrl) ? ` ${new URL(redirectUrl).origin}` : ''
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${next}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

type FormPage = {
  form: ShownForm
  fields: LeadField[]
  stamp: string
  /** What was typed, where it could not be taken. */
  sent?: Sent
  errors?: Record<string, string>
  /** What went wrong as a whole. */
  problem?: string
}

/** The page of a form. It needs no script, sets no cookie and loads nothing. */
export function formPage({ form, fields, stamp, sent = {}, errors = {}, problem }: FormPage) {
  const { title, name, intro } = form
  const words =
    problem ??
    (Object.keys(errors).length > 0
      ? 'Nothing was sent yet. Please check what is marked below.'
      : null)
  return page(
    title ?? name,
    html`<h1>${title ?? name}</h1>
      ${intro ? html`<p class="intro">${intro}</p>` : ''}
      ${words ? html`<p class="problem" role="alert">${words}</p>` : ''}
      <form method="post">
        ${fields.map((field) => control(field, sent[field.name] ?? [], errors[field.name]))}
        <div class="trap" aria-hidden="true">
          <label for="trap">Leave this empty</label>
          <input id="trap" name="${trapName}" tabindex="-1" autocomplete="off" />
        </div>
        <input type="hidden" name="${stampName}" value="${stamp}" />
        <button type="submit">Send</button>
      </form>`,
  )
}

/** What a visitor sees after sending. */
export function thanksPage({ title, name, thanks }: ShownForm) {
  return page(
    title ?? name,
    html`<h1>${title ?? name}</h1>
      <p class="intro" role="status">${thanks ?? usualThanks}</p>`,
  )
}

/** In place of a form that does not exist, for instance. */
export function messagePage(title: string, words: string) {
  return page(title, html`<h1>${title}</h1><p class="intro">${words}</p>`)
}

function page(title: string, content: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main><div class="card">${content}</div><footer>Made with Solo CRM</footer></main>
</body>
</html>`
}

function control(asked: LeadField, typed: string[], error: string | undefined): Markup {
  const { name, label, is_required } = asked
  const kind = controlOf(asked)
  const mark = is_required ? '' : html` <span class="mark">(optional)</span>`
  const words = error ? html`<p class="error" id="error-${name}">${error}</p>` : ''
  if (kind.control === 'checkboxes') {
    return html`<fieldset><legend>${label}${mark}</legend>
      ${kind.options.map(
        (option) =>
          html`<label class="box"><input type="checkbox" name="${name}" value="${option.value}" ${raw(typed.includes(option.value) ? 'checked' : '')}> ${option.label}</label>`,
      )}${words}</fieldset>`
  }
  const state = raw(
    [
      is_required ? 'required' : '',
      error ? `aria-invalid="true" aria-describedby="error-${name}"` : '',
      autocomplete[name] ? `autocomplete="${autocomplete[name]}"` : '',
    ].join(' '),
  )
  const [text = ''] = typed
  const head = html`<label for="${name}">${label}${mark}</label>`
  if (kind.control === 'select') {
    return html`<div>${head}<select id="${name}" name="${name}" ${state}><option value=""></option>${kind.options.map(
      ({ value, label: shown }) =>
        html`<option value="${value}" ${raw(value === text ? 'selected' : '')}>${shown}</option>`,
    )}</select>${words}</div>`
  }
  if (kind.control === 'textarea') {
    // The first line break after the tag would be lost.
    return html`<div>${head}<textarea id="${name}" name="${name}" maxlength="${kind.most}" ${state}>
${text}</textarea>${words}</div>`
  }
  const mode = raw(kind.mode ? `inputmode="${kind.mode}"` : '')
  return html`<div>${head}<input id="${name}" name="${name}" type="${kind.type}" maxlength="${kind.most}" value="${text}" ${mode} ${state}>${words}</div>`
}
