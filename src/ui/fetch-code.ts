/** What browsers say when a file of the app does not come. */
const missing =
  /dynamically imported module|module script failed|importing a module|error loading dynamically|unable to preload/i

/** True when code could not be fetched: nobody answered, or a new version has been deployed. */
export function isCodeMissing(error: unknown): boolean {
  return error instanceof Error && missing.test(error.message)
}

/** Any answer will do: this page may come from a host that knows no address of ours. */
export async function isServerThere(): Promise<boolean> {
  try {
    await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/** Style sheets that did not come. */
const failedStyles = new Set<Node>()
let reloading: Promise<unknown> | null = null

window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  // The error of a link does not bubble.
  true,
)

/**
 * Fetches code that comes when it is needed. The bundler's loader asks for a style sheet only once and
 * takes one that failed for loaded, so these are put in again first: nothing comes without its looks.
 */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  if (failedStyles.size > 0) await reloadStyles()
  return load()
}

function reloadStyles(): Promise<unknown> {
  reloading ??= Promise.all([...failedStyles].map(putBack)).finally(() => {
    reloading = null
  })
  return reloading
}

function putBack(link: Node): Promise<void> {
  const again = link.cloneNode()
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => {
      failedStyles.delete(link)
      resolve()
    })
    again.addEventListener('error', () => {
      // The new one is noted as failed in its place.
      failedStyles.delete(link)
      reject(new Error('Unable to preload a style sheet.'))
    })
    link.parentNode?.replaceChild(again, link)
  })
}
