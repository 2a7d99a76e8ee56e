/**
 * The session storage key by which the app tells the landing page that an account was deleted. Not in the address,
 * because a link with that message could frighten others. Only a type, because a shared module would pull the app's
 * code into the landing page.
 */
export type DeletedAccountKey = 'solo-account-deleted'
