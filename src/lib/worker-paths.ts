/**
 * The navigations that the worker answers with the page of the app. Everything else goes to the network as if there were
 * no worker: the public pages, the links of mails under /auth/v1, the data, the calendar.
 */
export const appNavigations = [/^\/app(?:[/?]|$)/, /^\/auth\/?(?:\?|$)/]
