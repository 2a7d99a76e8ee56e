import { useDisclosure } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { CompanyDialog } from '#features/companies/index.ts'
import { ContactDialog } from '#features/contacts/index.ts'
import { DealDialog } from '#features/deals/index.ts'
import { OfflineLine } from '#features/device/index.ts'
import { startWorker } from '#features/installed/index.ts'
import { useAccountTheme } from '#features/preferences/index.ts'
import { ShortcutsHost } from '#features/shortcuts/index.ts'
import { NextStepHost, TaskDialog } from '#features/tasks/index.ts'
import { WaitingLine, waitingParts } from '#features/waiting/index.ts'
import { useIsOffline } from '#lib/network.ts'
import { resetStores } from '#lib/store.ts'
import { ConfirmDialog } from '#ui/confirm.tsx'
import { openedPart } from '#ui/lazy-part.tsx'
import { useLeaveGuard } from '#ui/use-leave-question.ts'
import { whenIdle } from '#ui/when-idle.ts'
import { useNavigator } from './app-router.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { CallOfferHost } from './call-offer-host.tsx'
import { ComposerHost } from './composer-host.tsx'
import { Device } from './device.ts'
import { FormHost } from './form-host.tsx'
import { Live } from './live.ts'
import { recordParts } from './prefetch.ts'
import { QuickActions, QuickActionsDrawer } from './quick-actions.tsx'
import { ScreenKeys } from './screen-keys.ts'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { usePreloaded } from './use-preloaded.ts'
import { useScrollRestoration } from './use-scroll-restoration.ts'
import { Waiting } from './waiting.tsx'

const SidebarDrawer = openedPart(async () => (await import('./sidebar-drawer.tsx')).SidebarDrawer)

/** Parts that are opened from every screen: preloaded. */
const openedOften = [
  QuickActionsDrawer,
  SidebarDrawer,
  ContactDialog,
  TaskDialog,
  CompanyDialog,
  DealDialog,
  ConfirmDialog,
  OfflineLine,
  ...waitingParts,
  // A row that is opened shows its record at once.
  ...recordParts,
]

/** The frame around all screens: sidebar, top bar, main area. */
export function Shell() {
  const [isMenuOpen, menu] = useDisclosure(false)
  // Stays mounted after the first opening, for the closing animation.
  const [isDrawerWanted, setIsDrawerWanted] = useState(false)
  const main = useFocusOnNavigation()
  const isOffline = useIsOffline()
  useLeaveGuard()
  useScrollRestoration(useNavigator())
  useAccountTheme()
  usePreloaded(openedOften)
  useEffect(() => resetStores, [])
  useEffect(() => whenIdle(startWorker), [])
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {/* The second class keeps its width while a dialog locks the scrolling. */}
      <header className={`${classes.header} right-scroll-bar-position`}>
        <TopBar
          isMenuOpen={isMenuOpen}
          onMenu={() => {
            setIsDrawerWanted(true)
            menu.open()
          }}
          onPointAtMenu={SidebarDrawer.preload}
        />
      </header>
      <nav className={classes.sidebar} aria-label="Sidebar">
        <Sidebar />
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <div className={classes.lines}>
          {isOffline && <OfflineLine />}
          <WaitingLine />
        </div>
        <Outlet />
      </main>
      <BottomBar />
      <QuickActions />
      <ScreenKeys />
      <Live />
      <Device />
      <Waiting />
      <ShortcutsHost />
      <FormHost />
      <ComposerHost />
      <div className={classes.questions}>
        <CallOfferHost />
        <NextStepHost />
      </div>
      {isDrawerWanted && <SidebarDrawer isOpen={isMenuOpen} onClose={menu.close} />}
    </>
  )
}
