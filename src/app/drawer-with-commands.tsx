import type { ComponentType } from 'react'
import type { QuickActionsDrawerProps } from '#features/quick-actions/index.ts'
import { useCommands } from './commands.ts'

/** Gives the drawer the commands of the app, which the feature itself does not know. */
export function drawerWithCommands(Drawer: ComponentType<QuickActionsDrawerProps>) {
  return function DrawerWithCommands(props: Omit<QuickActionsDrawerProps, 'commands'>) {
    return <Drawer {...props} commands={useCommands()} />
  }
}
