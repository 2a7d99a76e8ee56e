import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { errorMessage } from '#lib/errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/states.tsx'
import { useCardToken, useCreateCards, useRevokeCards } from './queries.ts'

type Question = Parameters<typeof confirmAction>[0]

const replaceQuestion: Question = {
  title: 'Create new address?',
  body: 'The old address stops working immediately. Update it in every program that uses it.',
  confirm: 'Create new address',
}

const revokeQuestion: Question = {
  title: 'Revoke the address?',
  body: 'Programs that use it stop updating. Contacts they have copied stay there.',
  confirm: 'Revoke',
  isDangerous: true,
}

/** The secret address from which an address book reads the user's contacts. */
export function CardsDialog({ onClose }: { onClose: () => void }) {
  const { data: token, error, isFetching, refetch } = useCardToken()
  const create = useCreateCards()
  const revoke = useRevokeCards()
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = create.isPending || revoke.isPending

  async function ask(question: Question, goAhead: () => void): Promise<void> {
    if (isBusy) return
    setIsAsking(true)
    const isSure = await confirmAction(question)
    setIsAsking(false)
    if (isSure) goAhead()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      // Not while the question is open over it.
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      title="Address book"
      size={520}
      yOffset="12dvh"
    >
      <Stack gap="md" pb="md">
        <Text c="dimmed">
          All your contacts as vCards, for any program that reads them from a web address. They are
          always up to date.
        </Text>
        {token ? (
          <CardsAddress
            token={token}
            isBusy={isBusy}
            onReplace={() => ask(replaceQuestion, () => create.mutate(token))}
            onRevoke={() => ask(revokeQuestion, () => revoke.mutate())}
          />
        ) : error && !isFetching ? (
          <ErrorState
            title="Your address could not be loaded"
            message={errorMessage(error)}
            onRetry={refetch}
          />
        ) : token === null ? (
          <Button
            style={{ alignSelf: 'flex-start' }}
            loading={isBusy}
            onClick={() => create.mutate(null)}
          >
            Create address
          </Button>
        ) : (
          <Skeleton height={32} role="status" aria-label="Loading your address..." />
        )}
      </Stack>
    </Modal>
  )
}

type CardsAddressProps = {
  token: string
  isBusy: boolean
  onReplace: () => void
  onRevoke: () => void
}

function CardsAddress({ token, isBusy, onReplace, onRevoke }: CardsAddressProps) {
  const address = `${window.location.origin}/cards/${token}.vcf`
  return (
    <>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          label="Address"
          value={address}
          readOnly
          flex={1}
          miw={0}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={address} label="Copy" />
      </Group>
      <Text size="sm" c="dimmed">
        Anyone with this address can read all your contacts, so keep it private.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" aria-disabled={isBusy} onClick={onReplace}>
          Create new address
        </Button>
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          aria-disabled={isBusy}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      </Group>
    </>
  )
}
