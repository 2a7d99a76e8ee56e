import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { Pasted } from '#domain/mail-merge.ts'

const words: Record<Exclude<Pasted, 'nothing'>, string> = {
  body: 'This message is too long to hand to a mail app. Copy it and paste it into the draft.',
  'subject and body':
    'This subject is too long to hand to a mail app. Copy the subject and message and paste them into the draft.',
}

/** Says what a link cannot carry. */
export function Pasting({ pasted }: { pasted: Pasted }) {
  if (pasted === 'nothing') return null
  return (
    <Alert
      variant="default"
      role="status"
      icon={<IconInfoCircle size={16} stroke={1.5} aria-hidden />}
    >
      {words[pasted]}
    </Alert>
  )
}
