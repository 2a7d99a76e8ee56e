/** Under which name the cache keeps everything about tasks. */
export const tasksKey = ['tasks']

/** What to say before the reason when they could not be read. */
export const fetchFailed = 'Failed to fetch tasks'
