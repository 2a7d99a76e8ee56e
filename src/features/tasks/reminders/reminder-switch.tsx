import { Switch, Text } from '@mantine/core'
import { setReminders, useReminderSetting } from './reminder-setting.ts'

/** The switch for reminders in this browser. */
export function ReminderSwitch() {
  const setting = useReminderSetting()
  if (setting === 'missing') return null
  if (setting === 'denied') {
    return (
      <Text size="xs" c="dimmed" mb="md" role="status">
        Your browser blocks notifications from Solo CRM. Allow them in the site settings next to the
        address bar.
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
