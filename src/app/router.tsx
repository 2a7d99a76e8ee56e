import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { loadAuthPage, RequireUser } from '#features/auth/index.ts'
import { RequirePreferences } from '#features/preferences/index.ts'
import { fetchCode } from '#ui/fetch-code.ts'
import { LoadingState } from '#ui/states.tsx'
import { type AppRoutes, createAppRoutes, pageRoute } from './app-router.tsx'
import { CrashPage, UnreachablePage } from './crash-page.tsx'
import { useCrash } from './outdated.ts'
import { isList, RememberedScreen } from './remembered-screen.tsx'
import { ScreenCrash } from './screen-crash.tsx'
import { innerPages, recordPages, screens } from './screens.ts'
import { Shell } from './shell.tsx'

const first = { isOfFirst: true }

export function createRoutes(): AppRoutes {
  const auth = {
    path: '/auth',
    load: async () => {
      const { AuthPage } = await fetchCode(loadAuthPage, first)
      return <AuthPage />
    },
  }
  const inShell = [
    ...[...screens, ...recordPages].map((page) => ({ ...page, look: first })),
    ...innerPages.map((page) => ({ ...page, look: {} })),
  ].map(({ path, load, look }) => ({
    path,
    load: async () => {
      const Page = await fetchCode(load, look)
      return remembered(path, <Page />)
    },
  }))
  const routes = [
    pageRoute(auth.path, RouteCrash),
    {
      path: '/app',
      element: <RequireUser />,
      children: [
        {
          element: <RequirePreferences />,
          children: [
            {
              element: <Shell />,
              children: [
                { index: true, element: <Navigate to="/app/dashboard" replace /> },
                ...inShell.map(({ path }) => pageRoute(path, ScreenCrash)),
              ],
            },
          ],
        },
      ],
    },
    { path: '*', element: <LeaveToLanding /> },
  ]
  return createAppRoutes(routes, [auth, ...inShell])
}

function remembered(path: string, page: ReactNode): ReactNode {
  return isList(path) ? (
    <RememberedScreen key={path} screen={path}>
      {page}
    </RememberedScreen>
  ) : (
    page
  )
}

/** What crashed outside of the screens. */
export function RouteCrash({ error }: { error: unknown }) {
  const { crash, tryAgain } = useCrash(error)
  if (crash === 'pending') return <LoadingState text="Loading..." isFullPage />
  return crash === 'unreachable' ? (
    <UnreachablePage onTryAgain={tryAgain} />
  ) : (
    <CrashPage error={error} />
  )
}

// The landing page is a separate document.
function LeaveToLanding() {
  useEffect(() => window.location.replace('/'), [])
  return null
}
