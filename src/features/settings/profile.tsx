import { Avatar, Button, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { avatarLetter, nameInAddress } from '#domain/account.ts'
import { longDay } from '#domain/dates.ts'
import { dateFormats, numberFormats, usualHabits } from '#domain/habits.ts'
import { matchesZone, zoneOfToday } from '#domain/time-zones.ts'
import { useAuth } from '#features/auth/index.ts'
import {
  themes,
  usePreferences,
  useSavePreferences,
  useTheme,
  useTimeZone,
  useWeekStart,
} from '#features/preferences/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { DisplayNameDialog } from './display-name-dialog.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import classes from './settings.module.css'
import { clocks, dateFormatChoices, timeZoneChoices, weekdays } from './time-choices.ts'

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
        <Button variant="default" onClick={() => setDialog('name')}>
          Change name
        </Button>
      </PanelRow>
      <PanelRow
        title="Email"
        text={
          newEmail ? `${email}. To change it to ${newEmail}, open the link we sent there.` : email
        }
      >
        <Button variant="default" onClick={() => setDialog('email')}>
          Change email
        </Button>
      </PanelRow>
      <PanelRow
        title="Password"
        text="At least 6 characters. Changing it signs out your other devices."
      >
        <Button variant="default" onClick={() => setDialog('password')}>
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

/** Time zone, formats, first day of the week and theme, saved on change. */
function DisplaySettings() {
  const save = useSavePreferences('Settings saved')
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const { theme, setTheme } = useTheme()
  const { number_format, date_format, clock } = usePreferences().data ?? usualHabits
  return (
    <>
      <PanelRow title="Time zone" text="For every date and time in Solo CRM.">
        <Select
          aria-label="Time zone"
          w={260}
          searchable
          selectFirstOptionOnChange
          limit={100}
          allowDeselect={false}
          nothingFoundMessage="No such time zone"
          data={timeZoneChoices(timeZone)}
          // There are no groups, so all options are items.
          filter={({ options, search }) =>
            options.filter((each) => 'value' in each && matchesZone(each.value, search))
          }
          value={zoneOfToday(timeZone)}
          onChange={(zone) => zone && save({ time_zone: zone }).catch(() => {})}
        />
      </PanelRow>
      <PanelRow title="Date format" text="Date pickers follow your browser.">
        <Select
          aria-label="Date format"
          w={260}
          allowDeselect={false}
          data={dateFormatChoices()}
          value={date_format}
          onChange={(_, chosen) => {
            const known = dateFormats.find((each) => each === chosen?.value)
            if (known) save({ date_format: known }).catch(() => {})
          }}
        />
      </PanelRow>
      <PanelRow title="Clock">
        <SegmentedControl
          aria-label="Clock"
          data={clocks}
          value={String(clock)}
          onChange={(hours) => save({ clock: hours === '12' ? 12 : 24 }).catch(() => {})}
        />
      </PanelRow>
      <PanelRow title="Number format">
        <Select
          aria-label="Number format"
          w={260}
          allowDeselect={false}
          data={[...numberFormats]}
          value={number_format}
          onChange={(_, chosen) => {
            const known = numberFormats.find((each) => each === chosen?.value)
            if (known) save({ number_format: known }).catch(() => {})
          }}
        />
      </PanelRow>
      <PanelRow title="First day of the week">
        <Select
          aria-label="First day of the week"
          w={260}
          allowDeselect={false}
          data={weekdays}
          value={String(weekStart)}
          onChange={(day) => day && save({ week_starts_on: Number(day) }).catch(() => {})}
        />
      </PanelRow>
      <PanelRow title="Theme" text="For this browser and new ones you sign in on.">
        <SegmentedControl
          aria-label="Theme"
          data={themes.map(({ value, label }) => ({ value, label }))}
          value={theme}
          onChange={(value) => {
            const chosen = themes.find((each) => each.value === value)
            if (chosen) setTheme(chosen.value)
          }}
        />
      </PanelRow>
    </>
  )
}
