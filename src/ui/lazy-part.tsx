import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { fetchCode, isCodeMissing, isServerThere } from './fetch-code.ts'

/** Why a part could not be loaded: the server is unreachable, or it has another version by now. */
type Problem = 'unreachable' | 'outdated'

export type MissingPartProps = {
  problem: Problem
  onRetry: () => Promise<void>
  /** For a part that the user opened. */
  onClose?: () => void
  /** For a part of the screen: its name, as the first words of the message. */
  name?: string
}

/** The app's message for a part that could not be loaded. */
export const MissingPartContext = createContext<ComponentType<MissingPartProps>>(() => null)

/** A component whose code is loaded when it is first shown, or preloaded. */
type Part<P> = ((props: P) => ReactNode) & {
  /** Loads the code ahead; returns whether that worked. A failure is reported only when the part is shown. */
  preload: () => Promise<boolean>
}

/** For the button that opens a part: the code is fetched when the user points at it. */
export function opens(part: { preload: () => void }, open: () => void) {
  return { onClick: open, onPointerEnter: part.preload, onFocus: part.preload }
}

type Load<P> = () => Promise<ComponentType<P>>

type Look<P> = {
  /** Shown while the code loads. */
  loading?: (props: P) => ReactNode
}

/**
 * For parts of a screen. When the code cannot be loaded, the screen stays: without a `name` the placeholder stays too,
 * with one a message offers to try again.
 */
export function lazyPart<P extends object>(
  load: Load<P>,
  { loading, name }: Look<P> & { name?: string } = {},
): Part<P> {
  const source = sourceOf(load)
  const part = (props: P) => (
    <InScreen source={source} props={props} loading={loading?.(props)} name={name} />
  )
  return Object.assign(part, { preload: source.preload })
}

type InScreenProps<P> = {
  source: Source<P>
  props: P
  loading: ReactNode
  name: string | undefined
}

function InScreen<P extends object>({ source, props, loading, name }: InScreenProps<P>) {
  const Missing = useContext(MissingPartContext)
  const { Here, problem, tryAgain } = usePart(source, true)
  useEffect(() => {
    if (!problem) return
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [problem, tryAgain])
  if (Here) return <Here {...props} />
  if (problem && name) return <Missing problem={problem} name={name} onRetry={tryAgain} />
  return loading
}

type Opened = {
  /** For parts that stay mounted while closed; missing means open. */
  isOpen?: boolean
  onClose: () => void
}

/**
 * For parts that the user opens: a menu, a form, a dialog. When the code cannot be loaded, a dialog says so, and the
 * screen stays with everything typed in it. Opening it again tries again.
 */
export function openedPart<P extends object>(
  load: Load<P>,
  { loading }: Look<P> = {},
): Part<P & Opened> {
  const source = sourceOf(load)
  const part = (props: P & Opened) => (
    <OverScreen source={source} props={props} loading={loading?.(props)} />
  )
  return Object.assign(part, { preload: source.preload })
}

type OverScreenProps<P> = { source: Source<P>; props: P & Opened; loading: ReactNode }

function OverScreen<P extends object>({ source, props, loading }: OverScreenProps<P>) {
  const Missing = useContext(MissingPartContext)
  const { Here, problem, tryAgain } = usePart(source, props.isOpen ?? true)
  if (Here) return <Here {...props} />
  return (
    <>
      {loading}
      {problem && <Missing problem={problem} onRetry={tryAgain} onClose={props.onClose} />}
    </>
  )
}

/** The code of one part, loaded once for all its uses; after a failure it is loaded again. */
function sourceOf<P>(load: Load<P>) {
  let here: ComponentType<P> | null = null
  let coming: Promise<Problem | null> | null = null
  const listeners = new Set<() => void>()
  async function tryOnce(): Promise<unknown> {
    try {
      here = await fetchCode(load)
      for (const listener of listeners) listener()
      return null
    } catch (error) {
      return error
    }
  }
  async function bring(): Promise<Problem | null> {
    if (here) return null
    // Some browsers never ask again for code that failed to load once, so without a connection nothing is tried, unless
    // the worker has it.
    const isAway = !navigator.onLine && !navigator.serviceWorker?.controller
    if (isAway && !(await isServerThere())) return 'unreachable'
    if ((await tryOnce()) === null) return null
    if (!(await isServerThere())) return 'unreachable'
    // The server answers, so the failure may have been temporary: try once more.
    const error = await tryOnce()
    if (error === null) return null
    // The code was loaded but threw an error: report it as well.
    if (!isCodeMissing(error)) reportError(error)
    return 'outdated'
  }
  function fetchPart(): Promise<Problem | null> {
    coming ??= bring().finally(() => {
      coming = null
    })
    return coming
  }
  return {
    here: () => here,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fetch: fetchPart,
    preload: async () => (await fetchPart()) === null,
  }
}

type Source<P> = ReturnType<typeof sourceOf<P>>

function usePart<P>(source: Source<P>, isWanted: boolean) {
  const here = useSyncExternalStore(source.subscribe, source.here)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isComing = isWanted && here === null
  useEffect(() => {
    if (!isComing) return
    let isOver = false
    source.fetch().then((met) => {
      if (!isOver) setProblem(met)
    })
    return () => {
      isOver = true
      setProblem(null)
    }
  }, [source, isComing])
  const tryAgain = useCallback(async () => {
    const met = await source.fetch()
    // No message if the user has closed it meanwhile.
    setProblem((before) => before && met)
  }, [source])
  // Mount only after the message is gone and the focus is back, because the part remembers the focus on mount.
  const [isReady, setIsReady] = useState(here !== null)
  useLayoutEffect(() => {
    if (here && !problem) setIsReady(true)
  }, [here, problem])
  return { Here: isReady ? here : null, problem, tryAgain }
}
