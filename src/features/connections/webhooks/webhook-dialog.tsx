import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { webhookEvents, webhookEventWords, webhookSchema } from '#domain/webhook.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useChangeWebhook, useCreateWebhook, type Webhook } from './queries.ts'

type WebhookDialogProps = {
  /** Nothing for a new one. */
  webhook?: Webhook
  onClose: () => void
}

/** Adds a webhook and shows its secret, once; or changes one. */
export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const { mutateAsync: create } = useCreateWebhook()
  const { mutateAsync: change } = useChangeWebhook()
  const { form, dialog } = useRecordForm({
    schema: webhookSchema,
    initialValues: { url: webhook?.url ?? '', events: webhook?.events ?? [...webhookEvents] },
    async save(values) {
      if (!webhook) return setSecret((await create(values)).secret)
      await change({ id: webhook.id, ...values })
      onClose()
    },
  })
  if (secret !== null) return <MadeSecret title="Webhook added" secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : 'Add webhook'}
      submitLabel={webhook ? 'Save' : 'Add webhook'}
      {...dialog}
      onClose={onClose}
    >
      <TextInput
        label="Address"
        name="url"
        type="url"
        placeholder="https://example.com/hook"
        description="Messages are sent to it by POST."
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="Events" {...form.getInputProps('events')}>
        <Stack gap="xs" mt={6}>
          {webhookEvents.map((event) => (
            <Checkbox key={event} name="events" value={event} label={webhookEventWords[event]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}

type MadeSecretProps = { title: string; secret: string; onClose: () => void }

export function MadeSecret({ title, secret, onClose }: MadeSecretProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      // Shown once: a slip of the hand must not close it.
      closeOnClickOutside={false}
      title={title}
      size={560}
      yOffset="8dvh"
    >
      <Stack gap="md" pb="md">
        <Alert color="yellow" variant="light">
          Copy the secret now. It isn’t shown again.
        </Alert>
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <TextInput
            label="Secret"
            value={secret}
            readOnly
            flex={1}
            miw={0}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={secret} label="Copy" />
        </Group>
        <Text size="sm" c="dimmed">
          Every message is signed with it, following Standard Webhooks. Check it to be sure a
          message comes from Solo CRM.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
