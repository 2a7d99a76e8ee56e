import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { readPageSettings } from '#lib/page-settings.ts'

const loadDialog = () => import('./calendar-dialog.tsx')
const CalendarDialog = lazy(async () => ({ default: (await loadDialog()).CalendarDialog }))

/** Opens the user's calendar address. Only our own server gives one, and not a hosted project. */
export function CalendarButton() {
  const [isOffered] = useState(() => readPageSettings().supabaseUrl === '')
  const [isOpen, setIsOpen] = useState(false)
  if (!isOffered) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCalendarShare size={16} stroke={1.5} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        onPointerEnter={loadDialog}
        onFocus={loadDialog}
      >
        Calendar
      </Button>
      {isOpen && (
        <Suspense>
          <CalendarDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
