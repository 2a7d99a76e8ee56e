import type { ComponentType } from 'react'
import type { SearchDialogProps } from '#features/search/index.ts'
import { useCommands } from './commands.ts'

/** Gives the search the commands of the app, which the feature itself does not know. */
export function searchWithCommands(Dialog: ComponentType<SearchDialogProps>) {
  return function SearchWithCommands(props: Omit<SearchDialogProps, 'commands'>) {
    return <Dialog {...props} commands={useCommands()} />
  }
}
