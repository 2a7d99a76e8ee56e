import { UnstyledButton } from '@mantine/core'
import type { ComponentProps } from 'react'
import { avatarLetter } from '#domain/account.ts'
import { useAuth } from '#features/auth/index.ts'
import classes from './shell.module.css'

/** The circle with the first letter of the address, which opens the account menu. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { user } = useAuth()
  return (
    <UnstyledButton aria-label="Account menu" aria-haspopup="menu" {...props}>
      <span className={classes.avatar}>{avatarLetter(user?.email)}</span>
    </UnstyledButton>
  )
}
