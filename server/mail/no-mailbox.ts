import type { Mailbox } from './mailbox.ts'

/** For a backend that serves nobody: a benchmark, a template, a list of types. */
export const noMailbox: Mailbox = {
  mayBeAway: false,
  send: async () => {},
  forget: async () => {},
  close() {},
}
