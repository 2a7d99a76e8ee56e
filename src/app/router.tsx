import { type ReactNode, useEffect } from 'react'
import { createBrowserRouter, Navigate, useRouteError } from 'react-router'
import { loadAuthPage, RequireUser } from '#features/auth/index.ts'
import { RequirePreferences } from '#features/preferences/index.ts'
import { fetchCode } from '#ui/fetch-code.ts'
import { LoadingState } from '#ui/states.tsx'
import { CrashPage, UnreachablePage } from './crash-page.tsx'
import { useCrash } from './outdated.ts'
import { isList, RememberedScreen } from './remembered-screen.tsx'
import { ScreenCrash } from './screen-crash.tsx'
import { innerPages, recordPages, type Screen, screens } from './screens.ts'
import { Shell } from './shell.tsx'

export function createRouter() {
  return createBrowserRouter([
    {
      errorElement: <RouteCrash />,
      hydrateFallbackElement: <LoadingState text="Loading..." isFullPage />,
      children: [
        {
          path: '/auth',
          lazy: () =>
            fetchCode(loadAuthPage, first).then(({ AuthPage }) => ({ Component: AuthPage }), crash),
        },
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
                    ...[...screens, ...recordPages].map((page) => routeOf(page, first)),
                    ...innerPages.map((page) => routeOf(page)),
                  ],
                },
              ],
            },
          ],
        },
        { path: '*', element: <LeaveToLanding /> },
      ],
    },
  ])
}

const first = { isOfFirst: true }

function routeOf({ path, load }: Pick<Screen, 'path' | 'load'>, look?: typeof first) {
  return {
    path,
    errorElement: <ScreenCrash />,
    lazy: () =>
      fetchCode(load, look).then(
        (Component) => ({ element: remembered(path, <Component />) }),
        crash,
      ),
  }
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

// Without this the router shows its developers' error page.
function RouteCrash() {
  const error = useRouteError()
  const { crash, tryAgain } = useCrash(error)
  if (crash === 'pending') return <LoadingState text="Loading..." isFullPage />
  return crash === 'unreachable' ? (
    <UnreachablePage onTryAgain={tryAgain} />
  ) : (
    <CrashPage error={error} />
  )
}

// The router shows an empty page when code fails to load at the start. A component that throws the error passes it to
// the error boundary.
function crash(error: unknown) {
  return {
    Component() {
      throw error
    },
  }
}

// The landing page is a separate document.
function LeaveToLanding() {
  useEffect(() => window.location.replace('/'), [])
  return null
}
