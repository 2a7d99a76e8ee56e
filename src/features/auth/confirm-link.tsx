import { Stack, Text } from '@mantine/core'
import type { MailLink } from '#domain/auth.ts'
import { showToast } from '#ui/toast.tsx'
import { FormFailure } from './form-failure.tsx'
import { followMailLink } from './queries.ts'
import { SubmitButton } from './submit-button.tsx'
import { useAuthForm } from './use-auth-form.ts'

const confirmAddress = {
  title: 'Confirm your email address',
  text: 'Confirm it to sign in.',
  label: 'Confirm my email address',
}

/** The texts for each kind of link. */
export const linkWords: Record<MailLink['type'], { title: string; text: string; label: string }> = {
  signup: confirmAddress,
  email: confirmAddress,
  recovery: {
    title: 'Set a new password',
    text: 'You asked to reset your password. Continue to choose a new one.',
    label: 'Set a new password',
  },
  email_change: {
    title: 'Confirm your new email address',
    text: 'Once it’s confirmed, you sign in with it.',
    label: 'Confirm my new email address',
  },
  magiclink: {
    title: 'Sign in to Solo CRM',
    text: 'This link signs you in once, without a password.',
    label: 'Sign in',
  },
  invite: {
    title: 'Accept the invitation',
    text: 'You were invited to Solo CRM.',
    label: 'Accept the invitation',
  },
}

type ConfirmLinkProps = {
  link: MailLink
  /** Called after the link was used. */
  onFollowed: () => void
  onVoid: () => void
}

/**
 * The page of a mail's link. Mail scanners open every link, so opening must not use up the token: the button does.
 */
export function ConfirmLink({ link, onFollowed, onVoid }: ConfirmLinkProps) {
  const { isPending, failure, run } = useAuthForm()
  const { text, label } = linkWords[link.type]
  async function follow(): Promise<void> {
    const ended = await followMailLink(link)
    if (ended === 'void') return onVoid()
    onFollowed()
    if (ended === 'noted') {
      const message = 'Now open the link we sent to your other address.'
      showToast({ title: 'Confirmed', message })
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        run(follow)
      }}
    >
      <Stack gap="md">
        <FormFailure failure={failure} />
        <Text ta="center">{text}</Text>
        <SubmitButton label={label} pendingLabel="One moment..." isPending={isPending} autoFocus />
      </Stack>
    </form>
  )
}
