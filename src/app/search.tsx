import { lazy } from 'react'
import { loadSearchDialog, SearchHost } from '#features/search/index.ts'

/** The dialog and what can be done from it, side by side; neither is needed before it is first opened. */
export async function loadSearch() {
  const [{ SearchWithCommands }] = await Promise.all([
    import('./search-with-commands.tsx'),
    loadSearchDialog(),
  ])
  return { default: SearchWithCommands }
}

const Dialog = lazy(loadSearch)

/** Stands once in the workspace. */
export function Search() {
  return <SearchHost dialog={Dialog} />
}
