// `npm run test:long`: all journeys, with what the short run leaves out, and the contrasts of every state.
process.env.E2E_LONG = 'yes'
const { default: config } = await import('./playwright.config.ts')

export default config
