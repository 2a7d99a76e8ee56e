import { Progress } from '@mantine/core'
import { shownSize } from '#domain/files.ts'
import { readProblem } from '#lib/errors.ts'
import { PanelRow } from '#ui/panel.tsx'
import { useFileSpace } from './queries.ts'

/** How much of its space an account has used for files. */
export function SpaceRow() {
  const { data, error } = useFileSpace()
  const words = data && `${shownSize(data.used)} of ${shownSize(data.account_bytes)} used`
  return (
    <PanelRow
      title="Files"
      text={
        error && !data ? (
          readProblem(error)
        ) : (
          <>
            {words ? `${words}, including files in the trash.` : 'Loading...'}
            <Progress
              mt={8}
              w="min(320px, 100%)"
              size="sm"
              value={data ? (100 * data.used) / data.account_bytes : 0}
              aria-label={words ?? 'Used space'}
            />
          </>
        )
      }
    />
  )
}
