/** Whether this is the long run: `playwright.long.config.ts`. Each worker inherits the environment. */
export const isLong = process.env.E2E_LONG === 'yes'
