import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useState } from 'react'
import { readPageSettings } from '#lib/page-settings.ts'
import { openedPart } from '#ui/lazy-part.tsx'

const CalendarDialog = openedPart(
  async () => (await import('./calendar-dialog.tsx')).CalendarDialog,
)

/** Opens the dialog with the calendar address. Hidden with a hosted project, which has no calendar route. */
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
        onPointerEnter={CalendarDialog.preload}
        onFocus={CalendarDialog.preload}
      >
        Calendar
      </Button>
      {isOpen && <CalendarDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}
