import { SearchDialog } from '#features/search/index.ts'
import { useCommands } from './commands.ts'

type SearchWithCommandsProps = { isOpen: boolean; onClose: () => void }

/** The search, which by itself knows nothing of what the app can do. */
export function SearchWithCommands(props: SearchWithCommandsProps) {
  return <SearchDialog {...props} commands={useCommands()} />
}
