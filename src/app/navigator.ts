import { createPath, type Location, type NavigationType, parsePath, type To } from 'react-router'
import { leaveGuard, setNavigation } from '#ui/navigation.ts'

/** What an entry of the history holds. */
type Entry = { usr: unknown; key: string; idx: number } | null
type Look = { preventScrollReset?: boolean }

/** The screen that is shown, and how one came there. */
export type Shown = {
  location: Location
  action: NavigationType
  /** The page stays where it is scrolled to. */
  keepsScroll: boolean
}

type Options = {
  /** Loads what an address shows; null when it is there. */
  load: (location: Location) => Promise<void> | null
}

/**
 * Goes from screen to screen: the address changes once the code of the next screen is loaded, and the last request wins.
 * React Router's own data routers do this, too, but also load data and send forms: a tenth of the code of a list screen.
 */
export function createNavigator({ load }: Options) {
  let shown: Shown | null = null
  /** The index of the current history entry; null for an entry that we did not write, such as that of a #fragment link. */
  let index = entry()?.idx ?? null
  let asked = 0
  /** Set before a history.go of our own: 'ignored' returns to the screen that asks, 'agreed' repeats the step after a yes. */
  let onNextPop: 'ignored' | 'agreed' | null = null
  let onIgnored = () => {}
  const listeners = new Set<(shown: Shown) => void>()
  const leaving = new Set<(location: Location) => void>()

  if (index === null) {
    index = 0
    window.history.replaceState({ ...window.history.state, idx: index }, '')
  }

  function show(next: Shown): void {
    shown = next
    for (const listener of listeners) listener(next)
  }

  /** Shows a screen once its code is there, unless another was asked for meanwhile. */
  function go(next: Shown, commit: () => void): void {
    asked += 1
    const mine = asked
    if (shown) for (const listener of leaving) listener(shown.location)
    const coming = load(next.location)
    function arrive(): void {
      if (mine !== asked) return
      commit()
      show(next)
      setNavigation(null)
    }
    if (coming) setNavigation(coming.then(arrive))
    else arrive()
  }

  function write(to: To, state: unknown, look: Look, isPush: boolean): void {
    const { pathname, search, hash } = { ...window.location, ...resolved(to) }
    const location = { pathname, search, hash, state, key: newKey(), mask: undefined }
    const href = createPath(location)
    function proceed(): void {
      const action = (isPush ? 'PUSH' : 'REPLACE') as NavigationType
      const keepsScroll = look.preventScrollReset === true
      go({ location, action, keepsScroll }, () => {
        index = (entry()?.idx ?? 0) + (isPush ? 1 : 0)
        const next: Entry = { usr: state ?? null, key: location.key, idx: index }
        try {
          if (isPush) window.history.pushState(next, '', href)
          else window.history.replaceState(next, '', href)
        } catch (error) {
          if (error instanceof DOMException && error.name === 'DataCloneError') throw error
          // Browsers allow only so many in a short time.
          window.location.assign(href)
        }
      })
    }
    const guard = shown && leaveGuard(shown.location.pathname, pathname)
    if (guard) guard.mayLeave().then((isAgreed) => isAgreed && proceed())
    else proceed()
  }

  function onPop(): void {
    const next = entry()?.idx ?? null
    const steps = next === null || index === null ? null : next - index
    index = next
    const how = onNextPop
    onNextPop = null
    if (how === 'ignored') {
      onIgnored()
      return
    }
    const location = locationNow()
    const guard = how === null && shown && leaveGuard(shown.location.pathname, location.pathname)
    if (!guard || !steps) {
      go({ location, action: 'POP' as NavigationType, keepsScroll: false }, () => {})
      return
    }
    // The address has changed already: back to where the question is asked.
    const isBack = new Promise<void>((resolve) => {
      onIgnored = resolve
    })
    onNextPop = 'ignored'
    window.history.go(-steps)
    Promise.all([guard.mayLeave(), isBack]).then(([isAgreed]) => {
      if (!isAgreed) return
      onNextPop = 'agreed'
      window.history.go(steps)
    })
  }

  return {
    shown: () => shown,
    start(): () => void {
      window.addEventListener('popstate', onPop)
      if (!shown) {
        const location = locationNow()
        go({ location, action: 'POP' as NavigationType, keepsScroll: false }, () => {})
      }
      return () => window.removeEventListener('popstate', onPop)
    },
    onShow(listener: (shown: Shown) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Called with the screen that is about to be left. */
    onLeave(listener: (location: Location) => void): () => void {
      leaving.add(listener)
      return () => leaving.delete(listener)
    },
    /** As the components of the package want it. */
    forLinks: {
      createHref: (to: To) => (typeof to === 'string' ? to : createPath(to)),
      go: (steps: number) => window.history.go(steps),
      push: (to: To, state?: unknown, look: Look = {}) => write(to, state, look, true),
      replace: (to: To, state?: unknown, look: Look = {}) => write(to, state, look, false),
    },
  }
}

export type Navigator = ReturnType<typeof createNavigator>

function entry(): Entry {
  return window.history.state
}

function locationNow(): Location {
  const { pathname, search, hash } = window.location
  const { usr = null, key = 'default' } = entry() ?? {}
  return { pathname, search, hash, state: usr, key, mask: undefined }
}

function resolved(to: To) {
  const {
    pathname = window.location.pathname,
    search = '',
    hash = '',
  } = typeof to === 'string' ? parsePath(to) : to
  return { pathname, search, hash }
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10)
}
