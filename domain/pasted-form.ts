import { autocomplete, controlOf, type LeadField, trapName } from './lead-form.ts'

/** Lines to paste into any site: a form that works without a script of ours. */
export function pastedForm(fields: readonly LeadField[], address: string): string {
  const lines = fields.map((each) => `  ${pastedField(each)}`)
  return [
    `<form action="${escaped(address)}" method="post">`,
    ...lines,
    // Hidden twice: sites may forbid styles of elements, or show every label. Whoever sees it reads what it is.
    `  <label hidden aria-hidden="true" style="position:absolute;left:-9999px">Leave this empty <input name="${trapName}" tabindex="-1" autocomplete="off"></label>`,
    '  <button type="submit">Send</button>',
    '</form>',
  ].join('\n')
}

function pastedField(asked: LeadField): string {
  const { name, label, is_required } = asked
  const control = controlOf(asked)
  const attributes = `name="${escaped(name)}"${is_required && control.control !== 'checkboxes' ? ' required' : ''}`
  const fill = autocomplete[name] ? ` autocomplete="${autocomplete[name]}"` : ''
  if (control.control === 'checkboxes') {
    const boxes = control.options.map(
      ({ value, label: text }) =>
        `<label><input type="checkbox" name="${escaped(name)}" value="${escaped(value)}"> ${escaped(text)}</label>`,
    )
    return `<fieldset><legend>${escaped(label)}</legend>${boxes.join(' ')}</fieldset>`
  }
  if (control.control === 'select') {
    const options = control.options.map(
      ({ value, label: text }) => `<option value="${escaped(value)}">${escaped(text)}</option>`,
    )
    return `<label>${escaped(label)} <select ${attributes}><option value=""></option>${options.join('')}</select></label>`
  }
  const most = ` maxlength="${control.most}"`
  if (control.control === 'textarea') {
    return `<label>${escaped(label)} <textarea ${attributes}${most}></textarea></label>`
  }
  return `<label>${escaped(label)} <input type="${control.type}" ${attributes}${fill}${most}></label>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
