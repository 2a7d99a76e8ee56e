import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { localTimeOf, momentOf } from '#domain/local-time.ts'
import { useFormTimeZone } from '#features/preferences/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

type SendLaterDialogProps = {
  /** When it leaves as it is now. */
  sendAt: string | null
  onSet: (moment: string) => void
  onClose: () => void
}

/** Asks when a mail leaves. */
export function SendLaterDialog({ sendAt, onSet, onClose }: SendLaterDialogProps) {
  const timeZone = useFormTimeZone(sendAt !== null)
  const [start] = useState(() => localTimeOf(sendAt ?? nextMorning(Date.now(), timeZone), timeZone))
  const [typed, setTyped] = useState(start)
  const [problem, setProblem] = useState<string | null>(null)
  function submit(): void {
    const found = momentOf(typed, timeZone)
    if ('problem' in found) setProblem(words[found.problem])
    else if (Date.parse(found.moment) <= Date.now()) setProblem('Choose a time in the future.')
    else {
      onSet(found.moment)
      onClose()
    }
  }
  return (
    <FormDialog
      title="Send later"
      submitLabel="Set time"
      size={360}
      isDirty={typed !== start}
      isSaving={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Send at"
        name="send_at"
        type="datetime-local"
        max="9999-12-31T23:59"
        data-autofocus
        value={typed}
        error={problem}
        description={`Your time zone: ${timeZone}`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setProblem(null)
        }}
      />
    </FormDialog>
  )
}

const words = {
  unreadable: 'Enter a day and a time.',
  'no such day': 'There is no such day.',
  'skipped hour': 'The clock skips this hour on that day. Choose another.',
}

/** Nine o'clock tomorrow. */
function nextMorning(now: number, timeZone: string): number {
  const tomorrow = localTimeOf(now + 86_400_000, timeZone).slice(0, 10)
  const found = momentOf(`${tomorrow}T09:00`, timeZone)
  return 'moment' in found ? Date.parse(found.moment) : now + 86_400_000
}
