import { ActionIcon, Button } from '@mantine/core'
import {
  type Icon,
  IconBookmark,
  IconBuilding,
  IconChecklist,
  IconClipboardText,
  IconColumns3,
  IconCurrencyDollar,
  IconFolder,
  IconForms,
  IconInbox,
  IconMail,
  IconNote,
  IconPaperclip,
  IconTimeline,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import { nounOf } from '#domain/change-words.ts'
import { fromNow, shownMoment } from '#domain/dates.ts'
import { shownMoney } from '#domain/money.ts'
import { timeLeft } from '#domain/trash.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { Line } from '#ui/day-lines.tsx'
import { listShortcuts } from '#ui/list-shortcuts.ts'
import { ariaKeys } from '#ui/shortcut.ts'
import type { TrashRow } from './queries.ts'
import classes from './trash.module.css'
import type { TrashKind } from './trash-view.ts'

const icons: Record<TrashKind, Icon> = {
  contacts: IconUser,
  companies: IconBuilding,
  deals: IconCurrencyDollar,
  tasks: IconChecklist,
  notes: IconNote,
  collections: IconFolder,
  pipelines: IconTimeline,
  pipeline_stages: IconColumns3,
  saved_views: IconBookmark,
  email_templates: IconMail,
  fields: IconForms,
  forms: IconClipboardText,
  form_submissions: IconInbox,
  files: IconPaperclip,
}

/** The name of a deleted record, also without one. */
export function nameOf({ kind, name }: TrashRow): string {
  return name || `Unnamed ${nounOf(kind).one}`
}

/** The kind of record and a distinguishing fact. */
function aboutOf({ kind, email, value, currency, industry, of }: TrashRow): string {
  const { one } = nounOf(kind)
  const noun = one.charAt(0).toUpperCase() + one.slice(1)
  const fact =
    kind === 'deals' && value !== null ? shownMoney(value, currency) : (email ?? industry)
  if (of) return `${noun} ${kind === 'notes' ? 'on' : 'of'} ${of}`
  return fact ? `${noun} · ${fact}` : noun
}

type TrashLineProps = {
  row: TrashRow
  rowProps: Record<string, unknown>
  onRestore: () => void
  onRemove: () => void
}

/** A deleted record with buttons to restore it and to remove it for good. */
export function TrashLine({ row, rowProps, onRestore, onRemove }: TrashLineProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const name = nameOf(row)
  const about = aboutOf(row)
  return (
    <Line
      icon={icons[row.kind]}
      rowProps={rowProps}
      when={
        <>
          <time dateTime={row.deleted_at} title={shownMoment(row.deleted_at, timeZone)}>
            {fromNow(row.deleted_at, now, timeZone)}
          </time>
          <span>{timeLeft(row.deleted_at, now)}</span>
        </>
      }
      actions={
        <>
          <Button
            variant="default"
            aria-label={`Restore ${name}`}
            data-row-link
            onClick={onRestore}
          >
            Restore
          </Button>
          <ActionIcon
            aria-label={`Remove ${name} for good`}
            title="Remove for good"
            aria-keyshortcuts={ariaKeys(listShortcuts.remove)}
            onClick={onRemove}
          >
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </>
      }
    >
      <div className={classes.name} title={name}>
        <bdi>{name}</bdi>
      </div>
      <div className={classes.about} title={about}>
        {about}
      </div>
    </Line>
  )
}
