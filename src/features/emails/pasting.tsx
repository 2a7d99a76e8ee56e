import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { Pasted } from '#domain/mail-merge.ts'

const words: Record<Exclude<Pasted, 'nothing'>, string> = {
  body: 'This message is too long for a link: mail programs would cut it. It opens without its text. Copy the message and paste it there.',
  'subject and body':
    'This subject is too long for a link: mail programs would cut it. The message opens empty. Copy subject and message and paste them there.',
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
