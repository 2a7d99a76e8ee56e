import { errorMessage } from '#lib/errors.ts'
import { PrivateAddressDialog } from '#ui/private-address-dialog.tsx'
import { useCardToken, useCreateCards, useRevokeCards } from './queries.ts'

/** The private address from which an address book reads the user's contacts. */
export function CardsDialog({ onClose }: { onClose: () => void }) {
  const { data: token, error, isFetching, refetch } = useCardToken()
  const create = useCreateCards()
  const revoke = useRevokeCards()
  return (
    <PrivateAddressDialog
      title="Address book"
      name="address"
      about="All your contacts as vCards, for any program that reads them from a web address. They are always up to date."
      hint="Anyone with this address can read all your contacts, so keep it private."
      whenReplaced="Update it in every program that uses it."
      whenRevoked="Programs that use it stop updating. Contacts they have copied stay there."
      address={token && `${window.location.origin}/cards/${token}.vcf`}
      problem={error && !isFetching ? errorMessage(error) : null}
      isCreating={create.isPending}
      isRevoking={revoke.isPending}
      onCreate={() => create.mutate(token ?? null)}
      onRevoke={() => revoke.mutate()}
      onRetry={refetch}
      onClose={onClose}
    />
  )
}
