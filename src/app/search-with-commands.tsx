import type { ComponentType } from 'react'
import type { SearchDialogProps } from '#features/search/index.ts'
import { useCommands } from './commands.ts'

/** The search, which by itself knows nothing of what the app can do. */
export function searchWithCommands(Dialog: ComponentType<SearchDialogProps>) {
  return function SearchWithCommands(props: Omit<SearchDialogProps, 'commands'>) {
    return <Dialog {...props} commands={useCommands()} />
  }
}
