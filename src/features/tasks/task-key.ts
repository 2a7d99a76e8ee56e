/** The cache key of everything about tasks. */
export const tasksKey = ['tasks']

/** The first part of the error message. */
export const fetchFailed = 'Failed to fetch tasks'
