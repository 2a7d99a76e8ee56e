/**
 * What `call_with_token` takes itself: all that there is at a hosted project, and what the functions of the interface are made
 * of. The same as `private.listed_functions`.
 */
export const databaseFunctions: { name: string; args: string; about: string }[] = [
  { name: 'token', args: '', about: 'What the token is called and may do.' },
  { name: 'about', args: 'tags_start', about: 'Time zone, pipelines, custom fields and tags.' },
  { name: 'search', args: 'words', about: 'Finds records by any text.' },
  {
    name: 'list_contacts',
    args: 'filter, sort, descending, after, page_size',
    about: 'A page of contacts.',
  },
  {
    name: 'list_companies',
    args: 'filter, sort, descending, after, page_size',
    about: 'A page of companies.',
  },
  {
    name: 'list_deals',
    args: 'filter, sort, descending, after, page_size',
    about: 'A page of deals.',
  },
  {
    name: 'list_tasks',
    args: 'filter, sort, descending, after, page_size',
    about: 'A page of tasks.',
  },
  {
    name: 'get_record',
    args: 'kind, id, before, before_key, page_size',
    about: 'A record with its timeline.',
  },
  {
    name: 'read_text',
    args: 'kind, id, field, start, row_id',
    about: 'A long text, 20,000 characters at a time.',
  },
  { name: 'today', args: '', about: 'What is due, and the deals that need a push.' },
  { name: 'figures', args: 'day', about: 'The figures of the dashboard, the goal and a report.' },
  { name: 'history', args: 'filter, after, page_size', about: 'What was done, newest first.' },
  {
    name: 'quick_add_preview',
    args: 'line',
    about: 'Which records a line that was read would use.',
  },
  { name: 'quick_add', args: 'line', about: 'Writes a line that was read.' },
  {
    name: 'save_record',
    args: 'kind, changes, id',
    about: 'Adds a contact, company, deal or task, or changes one.',
  },
  { name: 'move_deal', args: 'id, stage_id, lost_reason', about: 'Moves a deal to a stage.' },
  { name: 'log_note', args: 'note, next_step', about: 'Logs a note, call or meeting.' },
  { name: 'complete_task', args: 'id, next_step', about: 'Completes a task.' },
  { name: 'undo', args: 'batch', about: 'Takes back what a token wrote.' },
]
