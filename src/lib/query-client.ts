import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { errorMessage, isSessionGone, isUnreachable } from './errors.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `failed`: what to say before the reason, e.g. 'Failed to fetch contacts'. */
    queryMeta: { failed?: string }
    /** `saved`: what to say when it worked. */
    mutationMeta: { saved?: string; failed?: string }
  }
}

type Listeners = {
  onSaved(text: string): void
  onFailed(text: string): void
  /** The backend does not know the session any more. */
  onSessionGone(): void
}

/** As long as the message of a failure stands. */
const toldFor = 10_000

/**
 * The one place that tells the user how reads and writes ended: a query or mutation says in its
 * `meta` what it was about, and the app passes in how to show it.
 */
export function createQueryClient({ onSaved, onFailed, onSessionGone }: Listeners): QueryClient {
  /** When each reason was last told. */
  const told = new Map<string, number>()
  function fail(error: unknown, what: string | undefined, isKnown = false): void {
    if (isSessionGone(error)) onSessionGone()
    if (!what || isKnown) return
    const reason = errorMessage(error)
    told.set(reason, Date.now())
    onFailed(`${what}: ${reason}`)
  }
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // One outage fails many reads: the first is told for all, and each says on its own place what is
        // missing. What the user does is always answered: see the writes below.
        const since = Date.now() - (told.get(errorMessage(error)) ?? Number.NEGATIVE_INFINITY)
        fail(error, query.meta?.failed, since < toldFor)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => fail(error, mutation.meta?.failed),
      onSuccess: (_data, _variables, _context, mutation) => {
        if (mutation.meta?.saved) onSaved(mutation.meta.saved)
      },
    }),
    defaultOptions: {
      // Asked even when the browser believes to be offline: an error that is told beats a wait without end.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 30_000,
        // Only a lost connection may be better a moment later.
        retry: (count, error) => count < 1 && isUnreachable(error),
        // Made to keep what was read, and the one place that every read passes before it begins.
        persister(read, context) {
          const gate = gates.get(context.client)
          if (!gate) return read(context)
          // Asked for at once, so that the end of who wanted it ends the waiting too.
          const { signal } = context
          return gate.opened.then(() => {
            signal.throwIfAborted()
            return read(context)
          })
        },
      },
    },
  })
}

/** A save that nobody answers must not keep the user from leaving. */
const patience = 5000

/** Closed while there is no session: what would read then waits. */
const gates = new WeakMap<QueryClient, { opened: Promise<void>; open: () => void }>()

/** There is no session any more, or soon: nothing is read until `readOn`, as the server would refuse it. */
export function holdReads(queryClient: QueryClient): void {
  if (gates.has(queryClient)) return
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  gates.set(queryClient, { opened, open })
}

/**
 * Before a session ends: what is being saved is saved first, and what is being read, which nobody will
 * look at, is not waited for. From then on nothing is read.
 */
export async function comeToRest(queryClient: QueryClient): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(rest, patience)
    const stop = queryClient.getMutationCache().subscribe(restWhenSaved)
    function restWhenSaved(): void {
      if (queryClient.isMutating() === 0) rest()
    }
    function rest(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
    restWhenSaved()
  })
  holdReads(queryClient)
  await queryClient.cancelQueries()
}

/** There is a session again, or still. */
export function readOn(queryClient: QueryClient): void {
  gates.get(queryClient)?.open()
  gates.delete(queryClient)
}
