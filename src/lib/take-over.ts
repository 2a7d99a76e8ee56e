/** The message by which a page asks the waiting worker, which has a newer version, to take over. */
export const takeOver = 'take over'
