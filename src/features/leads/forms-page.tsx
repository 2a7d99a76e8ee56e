import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { Panel, PanelNote, PanelRow } from '#ui/panel.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { areLeadsOffered, whyNotOffered } from './is-offered.ts'
import classes from './leads.module.css'
import { Quarantine } from './quarantine.tsx'
import { type LeadForm, useDeleteForm, useFormCounts, useForms } from './queries.ts'

const FormEditor = openedPart(async () => (await import('./form-editor.tsx')).FormEditor)
const ShareDialog = openedPart(async () => (await import('./share-dialog.tsx')).ShareDialog)

/** The account's forms, and what waits in quarantine. */
export function FormsPage() {
  const [isOffered] = useState(areLeadsOffered)
  const [isMaking, setIsMaking] = useState(false)
  return (
    <>
      <PanelScreen
        title="Forms"
        subtitle="Collect new contacts from your website"
        back={{ label: 'Settings', to: '/app/settings' }}
        actions={
          isOffered && (
            <Button
              leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
              onClick={() => setIsMaking(true)}
            >
              New form
            </Button>
          )
        }
      >
        {isOffered ? (
          <>
            <Panel
              title="Your forms"
              text="Share a link, add the form to your site, or send leads from a program."
            >
              <Forms />
            </Panel>
            <Quarantine />
          </>
        ) : (
          <p className={classes.quiet}>{whyNotOffered}</p>
        )}
      </PanelScreen>
      {isMaking && <FormEditor onClose={() => setIsMaking(false)} />}
    </>
  )
}

function Forms() {
  const { rows, isLoading, problem, refetch } = useForms()
  const [edited, setEdited] = useState<LeadForm | null>(null)
  const [shared, setShared] = useState<LeadForm | null>(null)
  if (problem) {
    return <ErrorState title="Your forms could not be loaded" message={problem} onRetry={refetch} />
  }
  if (isLoading) return <LoadingState text="Loading forms..." />
  if (rows.length === 0) {
    return (
      <PanelNote>
        No forms yet. Create one, put it on your site, and each submission becomes a contact.
      </PanelNote>
    )
  }
  return (
    <>
      {rows.map((form) => (
        <FormRow
          key={form.id}
          form={form}
          onEdit={() => setEdited(form)}
          onShare={() => setShared(form)}
        />
      ))}
      {edited && <FormEditor form={edited} onClose={() => setEdited(null)} />}
      {shared && <ShareDialog form={shared} onClose={() => setShared(null)} />}
    </>
  )
}

type FormRowProps = { form: LeadForm; onEdit: () => void; onShare: () => void }

function FormRow({ form, onEdit, onShare }: FormRowProps) {
  const counts = useFormCounts()
  const remove = useDeleteForm()
  const { name, id, fields } = form
  const { accepted = 0, waiting = 0 } = counts?.[id] ?? {}
  return (
    <PanelRow
      title={<bdi>{name}</bdi>}
      badge={waiting > 0 && <TintBadge color="orange">{`${waiting} in quarantine`}</TintBadge>}
      text={[counts && counted(accepted, 'submission'), counted(fields.length, 'field')]
        .filter(Boolean)
        .join(' · ')}
    >
      <Button
        variant="default"
        aria-label={`Share ${name}`}
        // Its address is known once it is saved.
        disabled={!form.slug}
        onClick={onShare}
      >
        Share
      </Button>
      <Button variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        aria-label={`Delete ${name}`}
        // The mutation reports a failure and rolls back.
        onClick={() => remove(form).catch(() => {})}
      >
        Delete
      </Button>
    </PanelRow>
  )
}
