import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useRouteError } from 'react-router'
import { EmptyState, LoadingState } from '#ui/states.tsx'
import { useReloadWhenOutdated } from './outdated.ts'

/** A crash in one screen: the shell stands, and the user can go elsewhere or load it again. */
export function ScreenCrash() {
  const isReloading = useReloadWhenOutdated(useRouteError())
  // The tab would go on naming the screen that was left. (An empty title changes nothing.)
  useDocumentTitle(isReloading ? '' : 'This screen stopped working · Solo CRM')
  if (isReloading) return <LoadingState text="Loading..." />
  return (
    <EmptyState
      title="This screen stopped working"
      hint="What you saved is safe. Load the page again, or open another screen."
      action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
    />
  )
}
