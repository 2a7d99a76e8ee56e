import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { batchWords } from '#domain/batch-words.ts'
import { shownMoment } from '#domain/dates.ts'
import { localTimeOf } from '#domain/local-time.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { Line } from '#ui/day-lines.tsx'
import { batchIcon } from './batch-icon.ts'
import classes from './history.module.css'
import type { HistoryEntry } from './queries.ts'
import { Sentence } from './sentence.tsx'
import { undo } from './undo-toast.ts'

export function canUndo({ undone, can_undo }: HistoryEntry): boolean {
  return undone !== 'yes' && can_undo
}

type HistoryLineProps = { entry: HistoryEntry; rowProps: Record<string, unknown> }

/** An entry of the history with its Undo button. */
export function HistoryLine({ entry, rowProps }: HistoryLineProps) {
  const timeZone = useTimeZone()
  const { sentence, details } = batchWords(entry, { timeZone })
  const words = sentence.map(({ text }) => text).join('')
  return (
    <Line
      icon={batchIcon(entry)}
      rowProps={rowProps}
      when={
        <time dateTime={entry.at} title={shownMoment(entry.at, timeZone)}>
          {localTimeOf(entry.at, timeZone).slice(11)}
        </time>
      }
      actions={<WayBack entry={entry} words={words} />}
    >
      <div className={classes.sentence}>
        <Sentence pieces={sentence} />
      </div>
      {details.map((detail) => (
        <div key={detail} className={classes.detail}>
          {detail}
        </div>
      ))}
    </Line>
  )
}

function WayBack({ entry, words }: { entry: HistoryEntry; words: string }) {
  const queryClient = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  if (entry.undone === 'yes') return <Note>Undone</Note>
  if (!canUndo(entry)) return <Note>Gone for good</Note>
  async function undoEntry(): Promise<void> {
    setIsPending(true)
    await undo({
      batch: async () => entry.batch,
      // The rows return to places that a long list has not loaded.
      onUndone: () => readFromTheStart(queryClient),
    })
    setIsPending(false)
  }
  return (
    <>
      {entry.undone === 'partly' && <Note>Undone in part</Note>}
      <Button
        variant="default"
        aria-label={`Undo: ${words}`}
        data-row-link
        loading={isPending}
        onClick={undoEntry}
      >
        Undo
      </Button>
    </>
  )
}

function Note({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  )
}
