/** Where the address of a record's page says which part of the timeline shows. */
export const timelineParam = 'timeline'
