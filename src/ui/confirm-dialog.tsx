import { Button, Group, Modal, Text } from '@mantine/core'
import type { OpenQuestion } from './confirm.tsx'
import { useFocusBack } from './use-focus-back.ts'

type ConfirmDialogProps = { question: OpenQuestion }

export function ConfirmDialog({ question }: ConfirmDialogProps) {
  const { title, body, confirm, cancel = 'Cancel', isDangerous, answer } = question
  useFocusBack()
  return (
    <Modal opened onClose={() => answer(false)} title={title} centered>
      <Text c="dimmed">{body}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          {cancel}
        </Button>
        <Button {...(isDangerous ? { color: 'red' } : {})} onClick={() => answer(true)}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
