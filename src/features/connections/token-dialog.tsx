import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { scopes, scopeWords, type TokenInput, tokenSchema } from '#domain/access-token.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { CopyField } from '#ui/copy-field.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useCreateToken } from './queries.ts'
import { WaysToConnect } from './ways-to-connect.tsx'

const blank: TokenInput = { name: '', scope: 'propose', ends: '' }

/** Makes a token, then shows it: once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string | null>(null)
  return token === null ? (
    <TokenForm onMade={setToken} onClose={onClose} />
  ) : (
    <MadeToken token={token} onClose={onClose} />
  )
}

type TokenFormProps = { onMade: (token: string) => void; onClose: () => void }

function TokenForm({ onMade, onClose }: TokenFormProps) {
  const timeZone = useTimeZone()
  const { mutateAsync: create } = useCreateToken()
  const schema = useMemo(() => tokenSchema({ now: Date.now(), timeZone }), [timeZone])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: blank,
    save: async (values) => onMade((await create(values)).token),
  })
  return (
    <FormDialog title="New access token" submitLabel="Create token" {...dialog} onClose={onClose}>
      <TextInput
        label="Name"
        name="name"
        placeholder="Claude"
        description="Everything it does shows under this name."
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Permissions" name="scope" {...form.getInputProps('scope')}>
        <Stack gap="xs" mt={6}>
          {scopes.map((scope) => (
            <Radio
              key={scope}
              value={scope}
              label={scopeWords[scope].name}
              description={scopeWords[scope].about}
            />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        type="date"
        label="Expires on"
        name="ends"
        description="Leave empty for a token that never expires."
        {...form.getInputProps('ends')}
      />
    </FormDialog>
  )
}

type MadeTokenProps = { token: string; onClose: () => void }

function MadeToken({ token, onClose }: MadeTokenProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      // Shown once: a slip of the hand must not close it.
      closeOnClickOutside={false}
      title="Your new token"
      size={560}
      yOffset="8dvh"
    >
      <Stack gap="md" pb="md">
        <Alert color="yellow" variant="light">
          Copy it now. It isn’t shown again.
        </Alert>
        <CopyField label="Access token" value={token} />
        <Text size="sm" c="dimmed">
          Anyone with this token can do what you allowed. Keep it private.
        </Text>
        <WaysToConnect token={token} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
