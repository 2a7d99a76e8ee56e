import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { linkedWords } from '#domain/merge.ts'
import { errorMessage } from '#lib/errors.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { type Kind, kindOf, type MergeRecord } from './kinds.ts'
import classes from './merge.module.css'
import { MergeColumns } from './merge-columns.tsx'
import { useMerge, useMergeRecords } from './queries.ts'
import { type MergeChoice, useMergeChoice } from './use-merge-choice.ts'

type MergeDialogProps = {
  kind: Kind
  ids: string[]
  /** The records, if they are loaded already. */
  known?: MergeRecord[]
  onClose: () => void
  onMerged?: (keep: string, gone: string[]) => void
}

/** Compares records side by side; the user chooses which one to keep and with which values. */
export function MergeDialog({ kind, ids, known, onClose, onMerged }: MergeDialogProps) {
  const { many } = kindOf[kind]
  const { data: records = [], error, isPending, refetch } = useMergeRecords(kind, ids, known)
  const merge = useMerge(kind)
  const choice = useMergeChoice(kind, records)
  const [isSaving, setIsSaving] = useState(false)
  const canMerge = choice.rows.length > 1

  async function submit(): Promise<void> {
    if (isSaving || !canMerge) return
    setIsSaving(true)
    try {
      const wanted = choice.merged()
      await merge(wanted)
      onMerged?.(
        wanted.keep,
        wanted.records.map(({ id }) => id).filter((id) => id !== wanted.keep),
      )
      onClose()
    } catch {
      // Reported already. Read the records again; the choices stay.
      refetch()
    } finally {
      setIsSaving(false)
    }
  }

  return (
    <FormDialog
      title={`Merge ${many}`}
      submitLabel="Merge"
      isDirty={choice.isDirty && canMerge}
      isSaving={isSaving}
      onSubmit={submit}
      onClose={onClose}
      size={Math.min(1080, 240 + 240 * Math.max(2, records.length))}
    >
      {isPending ? (
        <LoadingState text={`Loading ${many}...`} />
      ) : error && records.length === 0 ? (
        <ErrorState
          title={`The ${many} could not be loaded`}
          message={errorMessage(error)}
          onRetry={refetch}
        />
      ) : records.length < 2 ? (
        <Text>These {many} have already been merged.</Text>
      ) : (
        <>
          <MergeColumns kind={kind} records={records} choice={choice} />
          <Outcome kind={kind} choice={choice} />
        </>
      )}
    </FormDialog>
  )
}

/** A summary of what the merge will do. */
function Outcome({ kind, choice }: { kind: Kind; choice: MergeChoice }) {
  const { one, many, nameOf, beyond } = kindOf[kind]
  const { rows, keep, lost, keepsLost, setKeepsLost, result } = choice
  const others = rows.filter(({ id }) => id !== keep)
  const moving = linkedWords(others.map(({ linked }) => linked))
  const what =
    others.length === 1 ? `The other ${one} is` : `The ${others.length} other ${many} are`
  return (
    <div className={classes.outcome}>
      <p className={classes.sentence}>
        {moving ? (
          <>
            {moving} {isOne(moving) ? 'moves' : 'move'} to <bdi>{result ? nameOf(result) : ''}</bdi>
            .{' '}
          </>
        ) : null}
        {what} deleted. All tags, addresses, numbers and links are kept.{' '}
        {beyond(rows).map((sentence) => `${sentence} `)}
        You can undo this.
      </p>
      {lost.length > 0 && (
        <Checkbox
          checked={keepsLost}
          onChange={(event) => setKeepsLost(event.currentTarget.checked)}
          label="Keep the other values in the notes"
          classNames={{ description: classes.about ?? '' }}
          description={<span className={classes.lost}>{lost.join('\n')}</span>}
        />
      )}
    </div>
  )
}

const isOne = (words: string) => /^1 \S+$/.test(words)
