import { Switch, Text } from '@mantine/core'
import { setReminders, useReminderSetting } from './reminder-setting.ts'

/** The switch for reminders in this browser. */
export function ReminderSwitch() {
  const setting = useReminderSetting()
  if (setting === 'missing') return null
  if (setting === 'denied') {
    return (
      <Text size="xs" c="dimmed" mb="md" role="status">
        This browser blocks notifications from Solo CRM. To be reminded, allow them in the settings
        of this site, at the left of the address, and come back.
      </Text>
    )
  }
  return (
    <Switch
      mb="md"
      size="sm"
      label="Remind me in this browser"
      description="A notification when a task is due, while Solo CRM is open."
      checked={setting === 'on'}
      onChange={(event) => setReminders(event.currentTarget.checked)}
    />
  )
}
