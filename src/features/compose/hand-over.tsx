import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { answerRecipients, answerSubject } from '#domain/mail-addresses.ts'
import { mailtoLink } from '#domain/mailto.ts'
import type { ComposerRequest } from '#features/forms/index.ts'
import { useFocusBack } from '#ui/use-focus-back.ts'

type HandOverProps = { request: ComposerRequest; why: ReactNode; onClose: () => void }

/** Hands a mail without chosen contacts to the mail program: a reply, or a mail to one address or to nobody yet. */
export function HandOver({ request, why, onClose }: HandOverProps) {
  useFocusBack()
  const { answer, address } = request
  const to = answer
    ? answerRecipients(answer.mail, [], answer.isToAll).to.map(({ address }) => address)
    : [address ?? []].flat()
  const link = mailtoLink({
    to,
    subject: answer ? answerSubject(answer.mail.subject) : '',
    body: '',
  })
  return (
    <Modal opened onClose={onClose} title="New email" size={440} yOffset="12dvh">
      <Text size="sm" mb="md">
        {why}
      </Text>
      <Group justify="flex-end" gap="sm" pb="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button component="a" href={link} data-hands-over data-autofocus onClick={onClose}>
          Open in mail app
        </Button>
      </Group>
    </Modal>
  )
}
