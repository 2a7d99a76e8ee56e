/** The browsers' messages for a script that could not be loaded. */
const missing =
  /dynamically imported module|module script failed|importing a module|error loading dynamically|unable to preload/i

/** Whether code could not be fetched: the server is unreachable, or a new version has been deployed. */
export function isCodeMissing(error: unknown): boolean {
  return error instanceof Error && missing.test(error.message)
}

/** Any answer counts: the page may come from a plain file host. */
export async function isServerThere(): Promise<boolean> {
  try {
    await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/** Style sheets that failed to load. */
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

/** The styles of components that no often-opened screen shows: see `openedOften` in `scripts/screen-files.ts`. */
export const loadLaterStyles = () => import('./later-styles.ts')

/**
 * Loads code on demand, with the styles of all components unless it is `isOfFirst`: of a screen that one starts with. The
 * bundler requests a style sheet only once and treats a failed one as loaded, so failed ones are requested again first.
 */
export async function fetchCode<T>(load: () => Promise<T>, { isOfFirst = false } = {}): Promise<T> {
  if (failedStyles.size > 0) await reloadStyles()
  const [code] = await Promise.all([load(), isOfFirst || loadLaterStyles()])
  return code
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
      // If the new one fails too, it is recorded in its place.
      failedStyles.delete(link)
      reject(new Error('Unable to preload a style sheet.'))
    })
    link.parentNode?.replaceChild(again, link)
  })
}
