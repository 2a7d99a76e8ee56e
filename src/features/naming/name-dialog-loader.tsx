import { lazy, Suspense } from 'react'
import type { NameDialogProps } from './name-dialog.tsx'

const LazyDialog = lazy(async () => ({ default: (await import('./name-dialog.tsx')).NameDialog }))

/** Its code comes when it is first opened. */
export function NameDialog(props: NameDialogProps) {
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  )
}
