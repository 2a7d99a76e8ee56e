import { loadSearchDialog, SearchHost } from '#features/search/index.ts'
import { openedPart } from '#ui/lazy-part.tsx'

/** The dialog and what can be done from it, side by side; neither is needed before it is first opened. */
export const SearchDialog = openedPart(async () => {
  const [{ searchWithCommands }, { SearchDialog: Bare }] = await Promise.all([
    import('./search-with-commands.tsx'),
    loadSearchDialog(),
  ])
  return searchWithCommands(Bare)
})

/** Mounted once in the workspace. */
export function Search() {
  return <SearchHost dialog={SearchDialog} />
}
