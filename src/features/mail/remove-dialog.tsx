import { Button, Group, Modal, Text } from '@mantine/core'
import { useFocusBack } from '#ui/use-focus-back.ts'
import { type MailAccount, useRemoveAccount } from './queries.ts'

type RemoveDialogProps = { account: MailAccount; onClose: () => void }

/** Removes a mailbox: its emails stay, or go with it. */
export function RemoveDialog({ account, onClose }: RemoveDialogProps) {
  const remove = useRemoveAccount()
  useFocusBack()
  const go = (with_mails: boolean) =>
    remove.mutate({ id: account.id, with_mails }, { onSuccess: onClose })
  return (
    <Modal opened onClose={onClose} title="Remove this mailbox?" size={480} yOffset="12dvh">
      <Text size="sm" mb="md">
        Solo CRM deletes the password for <bdi>{account.address}</bdi>. The mailbox itself doesn’t
        change. The emails on your timelines can stay, or be deleted for good.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" variant="light" loading={remove.isPending} onClick={() => go(true)}>
          Delete emails too
        </Button>
        <Button loading={remove.isPending} onClick={() => go(false)} data-autofocus>
          Keep emails
        </Button>
      </Group>
    </Modal>
  )
}
