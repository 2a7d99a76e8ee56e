/** The state of an address that was opened from its list: Back leads to the place one left. */
export const fromList = 'from its list'
