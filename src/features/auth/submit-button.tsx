import { Button, type ButtonProps } from '@mantine/core'

type SubmitButtonProps = {
  label: string
  pendingLabel: string
  isPending: boolean
} & ButtonProps & { autoFocus?: boolean }

/** The button of a form on /auth. It keeps the focus while pending. */
export function SubmitButton({ label, pendingLabel, isPending, ...props }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      fullWidth
      aria-disabled={isPending}
      data-saving={isPending || undefined}
      {...props}
    >
      {isPending ? pendingLabel : label}
    </Button>
  )
}
