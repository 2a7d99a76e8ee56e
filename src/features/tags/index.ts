import { openedPart } from '#ui/lazy-part.tsx'

export { EditableTags } from './editable-tags.tsx'
export { TagBadges } from './tag-badges.tsx'
export { TagFilter } from './tag-filter.tsx'
export { TagInput } from './tag-input.tsx'
export { TagList } from './tag-list.tsx'

/** Adds tags to many records, or takes them away; its code comes when it is first opened. */
export const TagsDialog = openedPart(async () => (await import('./tags-dialog.tsx')).TagsDialog)
