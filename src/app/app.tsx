import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider, verifySession } from '#features/auth/index.ts'
import { reportKept } from '#features/waiting/index.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { whenScreenHasRead } from '#lib/reads-settled.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { MissingPartContext } from '#ui/lazy-part.tsx'
import { LoadingState } from '#ui/states.tsx'
import { cssVariablesResolver, theme } from '#ui/theme.ts'
import { showError, showToast, ToastHost } from '#ui/toast.tsx'
import { whenIdle } from '#ui/when-idle.ts'
import { AppRouter } from './app-router.tsx'
import { CrashBoundary } from './crash-boundary.tsx'
import { MissingPart } from './missing-part.tsx'
import { createRoutes, RouteCrash } from './router.tsx'

export const queryClient = createQueryClient({
  onSaved: (message) => showToast({ message }),
  onFailed: showError,
  onKept: reportKept,
  onSessionGone: verifySession,
})
const routes = createRoutes()

/** In milliseconds; the sign-in page reads nothing. */
const longestWait = 5000

function afterFirstScreen(run: () => void): void {
  whenScreenHasRead(queryClient, AbortSignal.timeout(longestWait), whenIdle, run)
  setTimeout(run, longestWait)
}

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <MissingPartContext value={MissingPart}>
        <ToastHost later={afterFirstScreen} />
        <ConfirmHost />
        <CrashBoundary>
          <QueryClientProvider client={queryClient}>
            <AuthProvider>
              <AppRouter
                app={routes}
                fallback={<LoadingState text="Loading..." isFullPage />}
                Crash={RouteCrash}
              />
            </AuthProvider>
          </QueryClientProvider>
        </CrashBoundary>
      </MissingPartContext>
    </MantineProvider>
  )
}
