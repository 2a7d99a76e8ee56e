import { lazy, Suspense } from 'react'
import type { SendEmailDialogProps } from './send-email-dialog.tsx'

const LazyDialog = lazy(async () => ({
  default: (await import('./send-email-dialog.tsx')).SendEmailDialog,
}))

/** Its code comes when it is first opened. */
export function SendEmailDialog(props: SendEmailDialogProps) {
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  )
}
