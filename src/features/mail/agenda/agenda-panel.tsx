import { Select, Skeleton } from '@mantine/core'
import { clockTime, fromNow } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { useNow } from '#lib/use-now.ts'
import { Panel, PanelNote, PanelRow } from '#ui/panel.tsx'
import { ErrorState } from '#ui/states.tsx'
import { useAgenda, useSetAgenda } from './queries.ts'

const off = 'off'

/** The hours of a day as the user writes times. */
function hourChoices(): { value: string; label: string }[] {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: clockTime(Date.UTC(2026, 0, 1, hour), 'UTC'),
  }))
  return [{ value: off, label: 'Off' }, ...hours]
}

/** The mail of the morning: at which hour, or why there is none. */
export function AgendaPanel({ isOffered }: { isOffered: boolean | undefined }) {
  return (
    <Panel
      title="Agenda by email"
      text="Tasks, meetings, waiting replies and deals that need attention, once a day. Nothing is sent on days without any."
    >
      {isOffered === undefined && <PanelNote>Loading...</PanelNote>}
      {isOffered === false && (
        <PanelNote>
          Not available yet. Ask your administrator to set SMTP_URL, the mail server that sends it.
        </PanelNote>
      )}
      {isOffered && <Setting />}
    </Panel>
  )
}

function Setting() {
  const now = useNow()
  const timeZone = useTimeZone()
  const { data, error, refetch } = useAgenda()
  const save = useSetAgenda()
  if (error && !data) {
    return (
      <ErrorState
        title="The agenda settings could not be loaded"
        message={errorMessage(error)}
        onRetry={refetch}
      />
    )
  }
  const hour = save.isPending ? save.variables : data?.hour
  const last = data?.last_sent_at ? fromNow(data.last_sent_at, now, timeZone) : null
  return (
    <PanelRow title="Send it at" text={last ? `Last sent ${last}` : 'Not sent yet'}>
      {data ? (
        <Select
          aria-label="Send the agenda at"
          w={140}
          allowDeselect={false}
          data={hourChoices()}
          value={hour === null || hour === undefined ? off : String(hour)}
          onChange={(chosen) => chosen && save.mutate(chosen === off ? null : Number(chosen))}
        />
      ) : (
        <Skeleton w={140} h={32} aria-hidden />
      )}
    </PanelRow>
  )
}
