import { loadSearchDialog, SearchHost } from '#features/search/index.ts'
import { openedPart } from '#ui/lazy-part.tsx'

/** Loads dialog and commands in parallel, when first opened. */
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
