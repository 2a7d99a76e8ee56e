const textTypes = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number'])

/**
 * Tab into a field selects what it holds, so that typing replaces it. Browsers do so themselves, but Mantine's dialogs move the
 * focus by script, which selects nothing. Returns a function that ends it.
 */
export function selectOnTab(): () => void {
  let isTab = false
  const note = (event: Event) => {
    isTab = event instanceof KeyboardEvent && event.key === 'Tab'
  }
  const select = ({ target }: Event) => {
    if (isTab && target instanceof HTMLInputElement && textTypes.has(target.type)) target.select()
    isTab = false
  }
  document.addEventListener('keydown', note, true)
  document.addEventListener('pointerdown', note, true)
  document.addEventListener('focusin', select)
  return () => {
    document.removeEventListener('keydown', note, true)
    document.removeEventListener('pointerdown', note, true)
    document.removeEventListener('focusin', select)
  }
}
