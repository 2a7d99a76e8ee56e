import { Avatar, Button } from '@mantine/core'
import { useState } from 'react'
import { avatarLetter, nameInAddress } from '#domain/account.ts'
import { longDay } from '#domain/dates.ts'
import { useAuth } from '#features/auth/index.ts'
import { usePreferences, useTimeZone } from '#features/preferences/index.ts'
import { lazyPart, openedPart, opens } from '#ui/lazy-part.tsx'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { loadSettingsPanels } from './load-settings-panels.ts'
import classes from './settings.module.css'

const DisplaySettings = lazyPart(async () => (await loadSettingsPanels()).DisplaySettings)
const DisplayNameDialog = openedPart(
  async () => (await import('./display-name-dialog.tsx')).DisplayNameDialog,
)
const EmailDialog = openedPart(async () => (await import('./email-dialog.tsx')).EmailDialog)
const PasswordDialog = openedPart(
  async () => (await import('./password-dialog.tsx')).PasswordDialog,
)

/** Profile and display settings. */
export function Profile() {
  const { user } = useAuth()
  const name = usePreferences().data?.display_name || nameInAddress(user?.email)
  const [dialog, setDialog] = useState<'name' | 'email' | 'password' | null>(null)
  const close = () => setDialog(null)
  if (!user) return null
  const { email = '', new_email: newEmail } = user
  return (
    <Panel title="Profile Information">
      <Person name={name} />
      <PanelRow title="Display name" text={name}>
        <Button variant="default" {...opens(DisplayNameDialog, () => setDialog('name'))}>
          Change name
        </Button>
      </PanelRow>
      <PanelRow
        title="Email"
        text={
          newEmail ? `${email}. To change it to ${newEmail}, open the link we sent there.` : email
        }
      >
        <Button variant="default" {...opens(EmailDialog, () => setDialog('email'))}>
          Change email
        </Button>
      </PanelRow>
      <PanelRow
        title="Password"
        text="At least 6 characters. Changing it signs out your other devices."
      >
        <Button variant="default" {...opens(PasswordDialog, () => setDialog('password'))}>
          Change password
        </Button>
      </PanelRow>
      <DisplaySettings />
      {dialog === 'name' && <DisplayNameDialog email={email} onClose={close} />}
      {dialog === 'email' && <EmailDialog current={email} onClose={close} />}
      {dialog === 'password' && <PasswordDialog email={email} onClose={close} />}
    </Panel>
  )
}

function Person({ name }: { name: string }) {
  const { user } = useAuth()
  const timeZone = useTimeZone()
  const joined = user?.created_at ? longDay(user.created_at, timeZone) : 'N/A'
  return (
    <div className={classes.person}>
      <Avatar color="iris" variant="light" radius={28} size={56} aria-hidden>
        {avatarLetter(user?.email)}
      </Avatar>
      <div className={classes.names}>
        <div className={classes.name}>
          <bdi>{name}</bdi>
          {user?.email_confirmed_at && <TintBadge color="green">Verified</TintBadge>}
        </div>
        <div className={classes.quiet}>{user?.email}</div>
        <div className={classes.quiet}>
          <span>Account Owner</span> · <span>Joined {joined}</span>
        </div>
      </div>
    </div>
  )
}
