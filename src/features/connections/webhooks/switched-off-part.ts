import { lazyPart } from '#ui/lazy-part.tsx'

/** Webhooks that were switched off; most accounts have none, so it comes after everything else. */
export const SwitchedOffWebhooks = lazyPart(
  async () => (await import('./switched-off.tsx')).SwitchedOff,
)
