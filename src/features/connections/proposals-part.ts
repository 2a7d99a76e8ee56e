import { lazyPart } from '#ui/lazy-part.tsx'

/** What assistants propose; most accounts have none, so it comes after everything else. */
export const Proposals = lazyPart(async () => (await import('./proposals.tsx')).Proposals)

/** Shown at the bell. */
export const WaitingMark = lazyPart(
  async () => (await import('./mark/waiting-mark.tsx')).WaitingMark,
)
