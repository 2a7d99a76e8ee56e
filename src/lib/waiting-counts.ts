/** How many proposals, new leads and switched-off webhooks wait: read anew by whatever decides about one of them. */
export const waitingCountsKey = ['waiting-counts']
