import { holdTypedText } from './use-leave-question.ts'

/** In milliseconds: after a pause, typing begins anew. */
const pause = 1000
/** Until a list that was opened is on the page, in frames. */
const mostFrames = 60

/** What is being typed in a field. `meant` is the option that it marked, once the list is on the page. */
type Typed = { field: HTMLInputElement; text: string; at: number; meant: HTMLElement | null }

let typed: Typed | null = null
/** The last that has looked for its option. */
let newest: Typed | null = null
let marking = Promise.resolve()
let isPressing = false

/**
 * Typing chooses in fields that only have a list and take no text: the first letters mark an option; Enter, Tab and a press
 * elsewhere take it, and leaving the screen before asks.
 * Mantine's Select leaves this to the mouse and the arrows; a browser's own does it. Returns a function that ends it.
 */
export function chooseByTyping(): () => void {
  document.addEventListener('keydown', onKeyDown, true)
  document.addEventListener('mousedown', onMouseDown, true)
  const stopHolding = holdTypedText(() => typed !== null && isUntaken(typed))
  return () => {
    stopHolding()
    document.removeEventListener('keydown', onKeyDown, true)
    document.removeEventListener('mousedown', onMouseDown, true)
  }
}

/** A press elsewhere leaves the field, as Tab does. */
function onMouseDown({ target }: MouseEvent): void {
  const last = typed
  if (!last || !(target instanceof Node) || last.field.contains(target)) return
  typed = null
  const list = document.getElementById(last.field.getAttribute('aria-controls') ?? '')
  if (isOpen(last.field) && !list?.contains(target)) take(last)
}

function onKeyDown(event: KeyboardEvent): void {
  const field = event.target
  if (isPressing || event.isComposing || !isListOnly(field)) return
  const last = typed?.field === field ? typed : null
  const before = last && Date.now() - last.at < pause ? last : null
  if (event.key === 'Tab' && last && isOpen(field)) take(last)
  if (event.key === 'Enter' && before) {
    // The list may still be on its way; without it, Enter would send the form.
    stop(event)
    marking.then(() => take(before))
  }
  const isText =
    event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && event.key !== ' '
  if (!isText && !(event.key === ' ' && before)) {
    typed = null
    return
  }
  stop(event)
  if (!isOpen(field)) press(field, 'ArrowDown')
  const text = (before?.text ?? '') + event.key.toLowerCase()
  typed = { field, text, at: Date.now(), meant: null }
  newest = typed
  marking = mark(typed)
}

/** Whether its option is marked in the open list, and is not what is chosen already. */
function isUntaken({ field, meant }: Typed): boolean {
  if (!meant?.isConnected || !isOpen(field)) return false
  return isMarked(meant) && !meant.hasAttribute('data-combobox-active')
}

/** Chooses what was marked. What is chosen already stays so: a second time would clear it. */
function take({ field, meant }: Typed): void {
  if (!meant?.isConnected || !isMarked(meant)) return
  if (meant.hasAttribute('data-combobox-active')) field.click()
  else press(field, 'Enter')
}

/** Moves to the first option that begins with the text, or has a word that does. */
async function mark(word: Typed): Promise<void> {
  const { field, text } = word
  const options = await optionsOf(field)
  // More letters have come meanwhile, and found the list first.
  if (newest !== word) return
  const labels = options.map((option) => (option.textContent ?? '').trim().toLowerCase())
  const begins = labels.findIndex((label) => label.startsWith(text))
  const within = labels.findIndex((label) => label.includes(` ${text}`))
  const meant = options[begins === -1 ? within : begins]
  if (!meant) return
  for (let step = 0; step <= options.length && !isMarked(meant); step += 1)
    press(field, 'ArrowDown')
  word.meant = meant
}

async function optionsOf(field: HTMLInputElement): Promise<HTMLElement[]> {
  for (let frame = 0; frame < mostFrames; frame += 1) {
    const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
    const options = list?.querySelectorAll<HTMLElement>(
      '[data-combobox-option]:not([data-combobox-disabled])',
    )
    if (options && options.length > 0) return [...options]
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return []
}

function press(field: HTMLInputElement, code: 'ArrowDown' | 'Enter'): void {
  isPressing = true
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key: code, code, bubbles: true, cancelable: true }),
  )
  isPressing = false
}

function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

function isListOnly(field: EventTarget | null): field is HTMLInputElement {
  return (
    field instanceof HTMLInputElement &&
    field.readOnly &&
    !field.disabled &&
    field.getAttribute('role') === 'combobox'
  )
}

const isOpen = (field: HTMLInputElement) => field.getAttribute('aria-expanded') === 'true'
const isMarked = (option: HTMLElement) => option.hasAttribute('data-combobox-selected')
