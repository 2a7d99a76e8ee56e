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
import { type Markup, pagePolicy, plainPage } from './plain-page.ts'

/** What the browser may do on the page of a form: show it, and send it. */
export function formPolicy(redirectUrl: string | null): string {
  // Browsers check `form-action` against the redirect after the form as well, so its origin must be allowed.
  const next = redirectUrl && URL.canParse(redirectUrl) ? new URL(redirectUrl).origin : ''
  return pagePolicy(next)
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
  return plainPage(
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
  return plainPage(
    title ?? name,
    html`<h1>${title ?? name}</h1>
      <p class="intro" role="status">${thanks ?? usualThanks}</p>`,
  )
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
