import { Drawer } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

type SidebarDrawerProps = { isOpen: boolean; onClose: () => void }

/** The sidebar of a phone. */
export function SidebarDrawer({ isOpen, onClose }: SidebarDrawerProps) {
  // Opened one render after mounting: only then does Mantine remember the focus to return.
  const [isHere, setIsHere] = useState(false)
  useEffect(() => setIsHere(true), [])
  return (
    <Drawer.Root opened={isHere && isOpen} onClose={onClose} size={264} position="left">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body p={0}>
          <Drawer.CloseButton className={classes.drawerClose ?? ''} aria-label="Close menu" />
          <nav className={classes.drawer} aria-label="Sidebar">
            <Sidebar onNavigate={onClose} />
          </nav>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
