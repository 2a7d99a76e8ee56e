import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '#lib/query-client.ts'
import { cssVariablesResolver, theme } from '#ui/theme.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { createRouter } from './router.tsx'

const queryClient = createQueryClient()
const router = createRouter()

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <CrashBoundary>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CrashBoundary>
    </MantineProvider>
  )
}
