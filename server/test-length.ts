/** True in `npm run test:long`, where the loops that look for what happens rarely run for long. */
export const isLong = import.meta.env.MODE === 'long'
