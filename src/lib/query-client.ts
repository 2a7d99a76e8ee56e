import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryOptions,
} from '@tanstack/react-query'
import { allowDevice, recalledAt } from './device-answers.ts'
import { errorMessage, isSessionGone, isUnreachable } from './errors.ts'
import { doubtful, isOffline, isSurelyOffline, whenAway } from './network.ts'
import { recallScreen } from './seen-screens.ts'
import { KeptWrite } from './waiting-state.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `failed`: what to say before the reason, e.g. 'Failed to fetch contacts'. `isOfFrame`: stands around every screen.
     */
    queryMeta: { failed?: string; isOfFrame?: boolean }
    /** `saved`: what to say when it worked. `noUndo`: what was written, where the log does not tell it: 'Settings'. */
    mutationMeta: { saved?: string; failed?: string; noUndo?: string }
  }
}

type Listeners = {
  onSaved(text: string): void
  onFailed(text: string): void
  /** A write waits on this device. */
  onKept?(batch: string): void
  /** The backend does not know the session any more. */
  onSessionGone(): void
}

type Written = { noUndo: string | undefined; at: number }

let lastWritten: Written | null = null

/** The last write of this window that succeeded; `noUndo` as its mutation says. */
export function lastWrite(): Written | null {
  return lastWritten
}

/** Matches how long an error toast stays on the screen. */
const reportedFor = 10_000

/**
 * The one place that reports the result of reads and writes to the user. A query or mutation names its
 * subject in `meta`; the app passes in how to show it.
 */
export function createQueryClient({
  onSaved,
  onFailed,
  onKept,
  onSessionGone,
}: Listeners): QueryClient {
  /** When each reason was last reported. */
  const reported = new Map<string, number>()
  function fail(error: unknown, what: string | undefined, isKnown = false): void {
    if (isSessionGone(error)) onSessionGone()
    if (!what || isKnown) return
    const reason = errorMessage(error)
    reported.set(reason, Date.now())
    onFailed(`${what}: ${reason}`)
  }
  /** One outage fails many reads. Only the first shows a toast; each list still shows its own error. */
  function failRead(error: unknown, what: string | undefined): void {
    const since = Date.now() - (reported.get(errorMessage(error)) ?? Number.NEGATIVE_INFINITY)
    fail(error, what, since < reportedFor)
  }
  const queryCache: QueryCache = new QueryCache({
    onError(error, query) {
      // Failed writes, which the user started, always show a toast. Without a network the line at the top says it all.
      if (!isUnreachable(error) || !isOffline()) failRead(error, query.meta?.failed)
      else if (!isSurelyOffline()) {
        setTimeout(failLate, doubtful, error, query)
        setTimeout(showAgain, 2 * doubtful, query)
      }
    },
  })
  const hasFailed = (query: Query) =>
    queryCache.get(query.queryHash) === query && query.state.status === 'error'
  /** Runs a moment after a read got no answer: shows its toast if it still fails and the offline line is not shown. */
  function failLate(error: unknown, query: Query): void {
    if (hasFailed(query) && !isSurelyOffline()) failRead(error, query.meta?.failed)
  }
  /** Renders a failed read again once we know that we are offline, so that the screen says that instead: see `readProblem`. */
  function showAgain(query: Query): void {
    // Only another error renders the screen again.
    if (hasFailed(query) && isSurelyOffline() && isUnreachable(query.state.error))
      query.setState({ error: new TypeError('Failed to fetch') })
  }
  return new QueryClient({
    queryCache,
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => fail(error, mutation.meta?.failed),
      onSuccess: (data, _variables, _context, mutation) => {
        lastWritten = { noUndo: mutation.meta?.noUndo, at: mutation.state.submittedAt }
        if (data instanceof KeptWrite) onKept?.(data.batch)
        else if (mutation.meta?.saved) onSaved(mutation.meta.saved)
      },
    }),
    defaultOptions: {
      // Send even when the browser believes it is offline: an error is better than waiting for ever.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 30_000,
        // Only a lost connection may recover a moment later.
        retry: (count, error) => count < 1 && isUnreachable(error),
        // The second time it may be answered by the device, at once.
        retryDelay: () => (isOffline() ? 0 : 1000),
        // A persister is meant for caching, but it is the one hook that every read passes before it starts.
        persister(read, context, query) {
          const gate = gates.get(context.client)
          if (!gate) return readOrRecall(read, context, query)
          // Reading `signal` here makes the query abortable while it waits.
          const { signal } = context
          return gate.opened.then(() => {
            signal.throwIfAborted()
            return readOrRecall(read, context, query)
          })
        },
      },
    },
  })
}

type Persister = NonNullable<QueryOptions['persister']>

/** Without a network, what has nothing to show may be answered by the device. */
const readOrRecall: Persister = async (read, context, query) => {
  if (!isOffline()) {
    const answer = await inPatience(read(context))
    ofDevice.delete(query)
    return answer
  }
  const isMore = query.state.fetchMeta?.fetchMore !== undefined
  if (query.state.data === undefined) await recallScreen(context.client)
  if (query.state.data === undefined || isMore) allowDevice(context.signal)
  const answer = await inPatience(read(context))
  const at = recalledAt(context.signal)
  if (at !== undefined) ofDevice.set(query, at)
  return answer
}

/** In milliseconds; what the device answers takes less. */
const patienceOffline = 5000

/**
 * Without a network, also when it goes during the read: the client library tries some reads again and again, for longer than
 * anybody wants to look at nothing.
 */
async function inPatience<Answer>(answer: Answer | Promise<Answer>): Promise<Answer> {
  const { away, stop } = whenAway(patienceOffline)
  const late = away.then((): never => {
    throw new TypeError('Failed to fetch')
  })
  return Promise.race([answer, late]).finally(stop)
}

/** Queries whose data came from the device, and when the device had read it. */
const ofDevice = new WeakMap<object, number>()

export function isOfDevice(query: object): boolean {
  return ofDevice.has(query)
}

/** When what a query shows was read from the server. */
export function readAt(query: Query): number {
  return ofDevice.get(query) ?? query.state.dataUpdatedAt
}

/** A write without an answer must not keep the user from signing out. */
const patience = 5000

/** Reads wait here while there is no session. */
const gates = new WeakMap<QueryClient, { opened: Promise<void>; open: () => void }>()

/** Holds all reads until `resumeReads`: without a session the server would refuse them. */
export function pauseReads(queryClient: QueryClient): void {
  if (gates.has(queryClient)) return
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  gates.set(queryClient, { opened, open })
}

/** Waits until every write has its answer, but not for ever. */
export async function writesAnswered(queryClient: QueryClient): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finish, patience)
    const stop = queryClient.getMutationCache().subscribe(finishWhenSaved)
    function finishWhenSaved(): void {
      if (queryClient.isMutating() === 0) finish()
    }
    function finish(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
    finishWhenSaved()
  })
}

/**
 * Before a session ends: waits for the writes under way, cancels the reads and holds new ones.
 */
export async function waitForWrites(queryClient: QueryClient): Promise<void> {
  await writesAnswered(queryClient)
  pauseReads(queryClient)
  await queryClient.cancelQueries()
}

/** There is a session again, or it did not end after all. */
export function resumeReads(queryClient: QueryClient): void {
  gates.get(queryClient)?.open()
  gates.delete(queryClient)
}
