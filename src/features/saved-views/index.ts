export { SavedViewsMenu } from './saved-views-menu.tsx'
export { useViewName } from './use-open-view.ts'
