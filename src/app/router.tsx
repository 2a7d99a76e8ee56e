import { useEffect } from 'react'
import { createBrowserRouter, useRouteError } from 'react-router'
import { CrashPage } from './crash-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { WorkspacePage } from './workspace-page.tsx'

export function createRouter() {
  return createBrowserRouter([
    {
      errorElement: <RouteCrash />,
      children: [
        { path: '/auth', element: <SignInPage /> },
        { path: '/app/*', element: <WorkspacePage /> },
        { path: '*', element: <LeaveToLanding /> },
      ],
    },
  ])
}

// The router would otherwise show its own developers' page for an error inside a route.
function RouteCrash() {
  return <CrashPage error={useRouteError()} />
}

// The landing page is a document of its own. Our server never answers another path with this one; a
// static host may.
function LeaveToLanding() {
  useEffect(() => window.location.replace('/'), [])
  return null
}
