import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { isBlankHtml } from '#domain/mail-text.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { type MailAccount, useSaveSending } from './queries.ts'

type SendingDialogProps = { account: MailAccount; onClose: () => void }

/** The database takes no longer one. */
const longest = 20_000

/** What stands under the mails of an account, and how fast they leave. */
export function SendingDialog({ account, onClose }: SendingDialogProps) {
  const save = useSaveSending()
  const before = account.signature ?? '<p></p>'
  const [html, setHtml] = useState(before)
  const [pace, setPace] = useState<number | string>(account.pace ?? '')
  const isLong = html.length > longest
  const isPaceWrong = pace !== '' && (Number(pace) < 1 || Number(pace) > 1000)
  function submit(): void {
    if (isLong || isPaceWrong || save.isPending) return
    save.mutate(
      {
        id: account.id,
        signature: isBlankHtml(html) ? null : html,
        pace: pace === '' ? null : Number(pace),
      },
      { onSuccess: onClose },
    )
  }
  return (
    <FormDialog
      title="Signature"
      about={account.address}
      submitLabel="Save"
      size={560}
      isDirty={html !== before || pace !== (account.pace ?? '')}
      isSaving={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <RichText
        label="Signature"
        html={before}
        onChange={setHtml}
        isSmall
        isFirst
        error={isLong && 'This signature is too long.'}
      />
      <NumberInput
        label="Emails an hour"
        description="For emails that go to many people one by one. Leave empty for what your provider allows."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        name="pace"
        w={280}
        min={1}
        max={1000}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        hideControls
        value={pace}
        error={isPaceWrong && 'Enter a number from 1 to 1,000.'}
        onChange={setPace}
      />
    </FormDialog>
  )
}
