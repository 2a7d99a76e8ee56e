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

/** Why a part is not there: nobody answers, or the server has another version by now. */
type Problem = 'unreachable' | 'outdated'

export type MissingPartProps = {
  problem: Problem
  onRetry: () => Promise<void>
  /** Of a part that the user opened: it closes again. */
  onClose?: () => void
  /** Of a part that stands in the screen: what is missing there, as a sentence begins with it. */
  name?: string
}

/** How the app tells, in its own words, that a part did not come. */
export const MissingPartContext = createContext<ComponentType<MissingPartProps>>(() => null)

/** A part of the app whose code comes when it is first shown, or before. */
type Part<P> = ((props: P) => ReactNode) & {
  /** Fetches the code ahead; answers whether it is there. That it is not is told when it is wanted. */
  preload: () => Promise<boolean>
}

/** For the button that opens a part: the code is fetched when the user points at it. */
export function opens(part: { preload: () => void }, open: () => void) {
  return { onClick: open, onPointerEnter: part.preload, onFocus: part.preload }
}

type Load<P> = () => Promise<ComponentType<P>>

type Look<P> = {
  /** What stands in its place until it is there. */
  loading?: (props: P) => ReactNode
}

/**
 * For what stands in a screen. When its code does not come, the screen stays: without a `name` what
 * stands for it while it loads stays too, with one it says so and can be tried again.
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
  /** What stays once it was opened says by this whether it is; without it, it is. */
  isOpen?: boolean
  onClose: () => void
}

/**
 * For what the user opened: a menu, a form, a dialog. When its code does not come, he is told in a
 * dialog, and the screen stays with everything that is typed in it. Opened again, it is tried again.
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

/** The code of one part, fetched once for everybody who shows it; after a failure it is fetched anew. */
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
    if (here || (await tryOnce()) === null) return null
    if (!(await isServerThere())) return 'unreachable'
    // Somebody answers: it may have been the trouble of a moment.
    const error = await tryOnce()
    if (error === null) return null
    // A part that came and broke: the same is left to do, but it must not stay unknown.
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
    // Who has closed it meanwhile is not told any more.
    setProblem((before) => before && met)
  }, [source])
  // Only once the message is gone, and the keyboard back where it was: what comes looks where that is.
  const [isReady, setIsReady] = useState(here !== null)
  useLayoutEffect(() => {
    if (here && !problem) setIsReady(true)
  }, [here, problem])
  return { Here: isReady ? here : null, problem, tryAgain }
}
