import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { reasonSchema } from '#domain/lost-reasons.ts'
import { moved } from '#domain/moved.ts'
import { usePreferences, useSavePreferences } from '#features/preferences/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { Panel } from '#ui/panel.tsx'
import { showToast } from '#ui/toast.tsx'
import classes from './lost-reasons.module.css'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The reasons that "Mark as lost" suggests: added, renamed, put in order, deleted. */
export function LostReasons() {
  const reasons = useLostReasons()
  const save = useSavePreferences()
  const write = (lost_reasons: string[]) => save({ lost_reasons })

  async function change(next: string[], message: string): Promise<void> {
    const before = reasons
    await write(next)
    showToast({
      message,
      // One after the other would offer an Undo that takes back more than it says.
      kind: 'lost reasons',
      // The mutation reports a failure and rolls back.
      action: { label: 'Undo', onClick: () => void write(before).catch(() => {}) },
    })
  }
  const move = (index: number, to: number) =>
    void change(moved(reasons, index, to), 'Reason moved').catch(() => {})
  return (
    <Panel title="Lost deals" text="Suggested when you mark a deal as lost.">
      <ul className={classes.reasons} aria-label="Reasons">
        {reasons.map((reason, index) => (
          <li key={reason} className={classes.reason}>
            <ReasonForm
              label={`Reason ${index + 1}`}
              reasons={reasons}
              own={index}
              onSave={(name) => change(reasons.with(index, name), 'Reason renamed')}
            />
            <MoveButtons
              name={reason}
              index={index}
              count={reasons.length}
              onMove={(to) => move(index, to)}
            />
            <ActionIcon
              aria-label={`Delete ${reason}`}
              title="Delete"
              onClick={() =>
                void change(reasons.toSpliced(index, 1), 'Reason deleted').catch(() => {})
              }
            >
              <IconTrash {...icon} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {reasons.length === 0 && (
        <Text size="sm" c="dimmed" px="md">
          No reasons yet. You can still type one when you lose a deal.
        </Text>
      )}
      <div className={classes.add}>
        <ReasonForm
          label="New reason"
          reasons={reasons}
          onSave={(name) => write([...reasons, name])}
        />
      </div>
    </Panel>
  )
}

/** The reasons that the user keeps. */
export function useLostReasons(): string[] {
  return usePreferences().data?.lost_reasons ?? []
}

type ReasonFormProps = {
  label: string
  reasons: string[]
  /** The place of the reason to rename; undefined for a new one. */
  own?: number
  onSave: (name: string) => Promise<unknown>
}

function ReasonForm({ label, reasons, own, onSave }: ReasonFormProps) {
  const schema = own === undefined ? reasonSchema(reasons) : reasonSchema(reasons, own)
  const before = own === undefined ? '' : (reasons[own] ?? '')
  const { form, element, submit } = useRecordForm({
    schema,
    initialValues: { reason: before },
    async save({ reason }) {
      await onSave(reason)
      if (own === undefined) form.reset()
    },
  })
  const isChanged = form.values.reason.trim() !== before
  return (
    <form
      ref={element}
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged || own === undefined) submit()
      }}
    >
      <TextInput
        name="reason"
        aria-label={label}
        placeholder={own === undefined ? 'Another reason' : ''}
        dir="auto"
        autoComplete="off"
        className={classes.words ?? ''}
        {...form.getInputProps('reason')}
      />
      {(own === undefined || isChanged) && (
        <Button type="submit" variant="default">
          {own === undefined ? 'Add' : 'Rename'}
        </Button>
      )}
    </form>
  )
}
