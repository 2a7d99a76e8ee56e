import { Button, Group, Text, TextInput, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { deletionSchema } from '#domain/account-form.ts'
import { leaveWaiting } from '#lib/leave-waiting.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { PanelRow } from '#ui/panel.tsx'
import { useDeleteAccount } from './queries.ts'
import classes from './settings.module.css'

type DangerZoneProps = { email: string }

/** Deletes the account, after a prompt and a confirmation by e-mail address. */
export function DangerZone({ email }: DangerZoneProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <section className={classes.danger} aria-label="Danger Zone">
      <Title order={3}>Danger Zone</Title>
      {isAsking ? (
        <ConfirmDeletion email={email} onCancel={() => setIsAsking(false)} />
      ) : (
        <PanelRow title="Delete account" text="Deletes your account and everything in it.">
          <Button color="red" variant="light" onClick={() => setIsAsking(true)}>
            Delete Account
          </Button>
        </PanelRow>
      )}
    </section>
  )
}

type ConfirmDeletionProps = { email: string; onCancel: () => void }

function ConfirmDeletion({ email, onCancel }: ConfirmDeletionProps) {
  const deleteAccount = useDeleteAccount()
  const schema = useMemo(() => deletionSchema(email), [email])
  const { form, element, isSaving, submit } = useRecordForm({
    schema,
    initialValues: { address: '' },
    async save({ address }) {
      await leaveWaiting('delete account', () => deleteAccount(address))
    },
  })
  return (
    <form
      ref={element}
      noValidate
      className={classes.confirm}
      aria-label="Delete account"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Text fw={500}>
        Are you absolutely sure? This action cannot be undone. This will permanently delete your
        account and remove all your data from our servers.
      </Text>
      <TextInput
        label="Your email address"
        name="address"
        description={`Type ${email} to confirm.`}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maw={400}
        {...form.getInputProps('address')}
      />
      <Group gap="sm">
        <Button variant="default" onClick={onCancel} disabled={isSaving}>
          Cancel
        </Button>
        <Button
          type="submit"
          color="red"
          aria-disabled={isSaving}
          data-saving={isSaving || undefined}
        >
          {isSaving ? 'Deleting...' : 'Delete my account'}
        </Button>
      </Group>
    </form>
  )
}
