import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { unreachable } from '#lib/errors.ts'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { useCrash } from './outdated.ts'

/** A crash in one screen: the shell stays, and the user can leave or reload. */
export function ScreenCrash({ error }: { error: unknown }) {
  const { crash, tryAgain } = useCrash(error)
  const title =
    crash === 'unreachable' ? 'This screen could not be loaded' : 'This screen stopped working'
  // Otherwise the tab keeps the title of the screen before. (An empty title changes nothing.)
  useDocumentTitle(crash === 'pending' ? '' : `${title} · Solo CRM`)
  if (crash === 'pending') return <LoadingState text="Loading..." />
  if (crash === 'unreachable') {
    return <ErrorState title={title} message={unreachable} onRetry={tryAgain} />
  }
  return (
    <EmptyState
      title={title}
      hint="Your saved work is safe. Reload the page or open another screen."
      action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
    />
  )
}
