/** The conversation that is open in the address of a record's page. */
export const conversationParam = 'conversation'
