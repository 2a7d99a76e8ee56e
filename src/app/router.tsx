import { useEffect } from 'react'
import { createBrowserRouter, Navigate, useRouteError } from 'react-router'
import { loadAuthPage, RequireUser } from '#features/auth/index.ts'
import { LoadingState } from '#ui/states.tsx'
import { CrashPage } from './crash-page.tsx'
import { ScreenCrash } from './screen-crash.tsx'
import { screens } from './screens.ts'
import { Shell } from './shell.tsx'

export function createRouter() {
  return createBrowserRouter([
    {
      errorElement: <RouteCrash />,
      hydrateFallbackElement: <LoadingState text="Loading..." isFullPage />,
      children: [
        {
          path: '/auth',
          lazy: async () => ({ Component: (await loadAuthPage()).AuthPage }),
        },
        {
          path: '/app',
          element: <RequireUser />,
          children: [
            {
              element: <Shell />,
              children: [
                { index: true, element: <Navigate to="/app/dashboard" replace /> },
                ...screens.map((screen) => ({
                  path: screen.path,
                  errorElement: <ScreenCrash />,
                  lazy: async () => {
                    const { PlainScreen } = await screen.load()
                    return { element: <PlainScreen screen={screen} /> }
                  },
                })),
              ],
            },
          ],
        },
        { path: '*', element: <LeaveToLanding /> },
      ],
    },
  ])
}

// The router would otherwise show its own developers' page for an error inside a route.
function RouteCrash() {
  return <CrashPage error={useRouteError()} />
}

// The landing page is a document of its own.
function LeaveToLanding() {
  useEffect(() => window.location.replace('/'), [])
  return null
}
