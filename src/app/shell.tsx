import { AppShell } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { useAccountTheme } from '#features/preferences/index.ts'
import { QuickActionsHost } from '#features/quick-actions/index.ts'
import { ShortcutsHost } from '#features/shortcuts/index.ts'
import { useLeaveGuard } from '#ui/use-leave-question.ts'
import { FormHost } from './form-host.tsx'
import { prefetch } from './prefetch.ts'
import { Search } from './search.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

const loadDrawer = () => import('./sidebar-drawer.tsx')
const SidebarDrawer = lazy(loadDrawer)

/** What stays while screens change: sidebar, top bar, and the place of the screen. */
export function Shell() {
  const [isMenuOpen, menu] = useDisclosure(false)
  // Once it has been opened it stays, to slide out again.
  const [isDrawerWanted, setIsDrawerWanted] = useState(false)
  const main = useFocusOnNavigation()
  useLeaveGuard()
  useAccountTheme()
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }}
        layout="alt"
        padding={0}
      >
        <AppShell.Header className={classes.header}>
          <TopBar
            isMenuOpen={isMenuOpen}
            onMenu={() => {
              setIsDrawerWanted(true)
              menu.open()
            }}
            onPointAtMenu={prefetch(loadDrawer)}
          />
        </AppShell.Header>
        <AppShell.Navbar className={classes.sidebar} aria-label="Sidebar" visibleFrom="sm">
          <Sidebar />
        </AppShell.Navbar>
        <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Outlet />
        </AppShell.Main>
      </AppShell>
      {/* Back leads to the place one came from. */}
      <ScrollRestoration />
      <QuickActionsHost />
      <ShortcutsHost />
      <Search />
      <FormHost />
      {isDrawerWanted && (
        <Suspense>
          <SidebarDrawer isOpen={isMenuOpen} onClose={menu.close} />
        </Suspense>
      )}
    </>
  )
}

/** After a change of screen the keyboard goes on from the screen, not from the link that led there. */
function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // A list that one comes back to has its row again already.
    if (main.current?.querySelector('[data-row-link]:focus')) return
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
