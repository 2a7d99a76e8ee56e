import { SegmentedControl, Select } from '@mantine/core'
import { dateFormats, numberFormats, usualHabits } from '#domain/habits.ts'
import { foundZones, zoneOfToday } from '#domain/time-zones.ts'
import {
  themes,
  usePreferences,
  useSavePreferences,
  useTheme,
  useTimeZone,
  useWeekStart,
} from '#features/preferences/index.ts'
import { PanelRow } from '#ui/panel.tsx'
import { TypedSelect } from '#ui/typed-select.tsx'
import { clocks, dateFormatChoices, timeZoneChoices, weekdays } from './time-choices.ts'

/** Time zone, formats, first day of the week and theme, saved on change. */
export function DisplaySettings() {
  const save = useSavePreferences('Settings saved')
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const { theme, setTheme } = useTheme()
  const { number_format, date_format, clock } = usePreferences().data ?? usualHabits
  return (
    <>
      <PanelRow title="Time zone" text="For every date and time in Solo CRM.">
        <TypedSelect
          aria-label="Time zone"
          w={260}
          limit={100}
          // A hundred options that nobody may ever open.
          comboboxProps={{ keepMounted: false }}
          allowDeselect={false}
          nothingFoundMessage="No such time zone"
          noun="time zone"
          data={timeZoneChoices(timeZone)}
          find={foundZones}
          value={zoneOfToday(timeZone)}
          onChoose={({ value }) => save({ time_zone: value }).catch(() => {})}
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
