/**
 * Under this name the app leaves word in the session storage for the landing page, which is loaded after the end of
 * an account. Not in the address: nobody may frighten others with a link that says so. A type, because a module
 * that both import would bring the app along with the landing page.
 */
export type DeletedAccountKey = 'solo-account-deleted'
