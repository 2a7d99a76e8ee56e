/** What the device knows, and when that was read from the server. */
export type Recalled = { answer: unknown; at: number }

/** Answers a call of a function of the database by what this device keeps; null where it cannot. */
type Answerer = (name: string, args: object) => Promise<Recalled | null>

let answerer: Answerer | null = null

/** The reads that may be answered by the device. */
const allowed = new WeakSet<AbortSignal>()
const answered = new WeakMap<AbortSignal, number>()

/** Set by the app while a user is signed in who keeps data on this device. */
export function answerWith(next: Answerer | null): void {
  answerer = next
}

/** Only for reads with nothing in the cache, which has more of a record than the device keeps. */
export function allowDevice(signal: AbortSignal): void {
  allowed.add(signal)
}

/** When the device read what it answered a read with; undefined for an answer of the server. */
export function recalledAt(signal: AbortSignal): number | undefined {
  return answered.get(signal)
}

export async function answerFromDevice(
  name: string,
  args: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!signal || !allowed.has(signal)) return undefined
  try {
    const recalled = await answerer?.(name, args)
    if (!recalled) return undefined
    answered.set(signal, recalled.at)
    return recalled.answer
  } catch {
    // The code or the store is not there: the same as nothing kept.
    return undefined
  }
}
