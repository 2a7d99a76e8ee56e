/** The history state of a page that was opened from its list, so that the back link can go back in history. */
export const fromList = 'from its list'
