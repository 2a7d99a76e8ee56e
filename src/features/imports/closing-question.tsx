import { Alert, Radio } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { dayOf } from '#domain/dates.ts'
import type { ClosingAnswer, Undated } from '#domain/import-closing.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { DayField } from '#ui/day-field.tsx'
import classes from './imports.module.css'

type ClosingQuestionProps = {
  undated: Undated
  answer: ClosingAnswer | null
  onAnswer: (answer: ClosingAnswer) => void
}

/** Asks when deals were closed, where the file says that they are and not when. Nothing is chosen at first. */
export function ClosingQuestion({ undated, answer, onAnswer }: ClosingQuestionProps) {
  const { rows, expected, created } = undated
  const today = dayOf(useNow(), useTimeZone())
  const ways = [
    { by: 'expected close', label: 'On their expected close date', has: expected },
    { by: 'created', label: 'On the day they were created', has: created },
    { by: 'day', label: 'All on one day', has: rows },
    { by: 'left out', label: 'Skip these deals', has: rows },
  ] as const
  const rest = rows - (ways.find(({ by }) => by === answer?.by)?.has ?? rows)
  const isOneDay = answer?.by === 'day'
  return (
    <Alert color="yellow" variant="light" mb="md">
      <Radio.Group
        label={`When were these ${counted(rows, 'deal')} closed?`}
        description="They’re won or lost, but the file doesn’t say when. Deals that are closed here already keep their date."
        descriptionProps={{ c: 'var(--mantine-color-text)' }}
        value={answer?.by ?? null}
        onChange={(value) => {
          const way = ways.find(({ by }) => by === value)
          if (way) onAnswer({ by: way.by, day: null })
        }}
      >
        <div className={classes.answers}>
          {ways
            .filter(({ has }) => has > 0)
            .map(({ by, label, has }) => (
              <Radio
                key={by}
                value={by}
                label={has < rows ? `${label} (${has} of ${rows})` : label}
              />
            ))}
        </div>
      </Radio.Group>
      {answer && (isOneDay || rest > 0) && (
        <div className={classes.answerDay}>
          <DayField
            label={isOneDay ? 'Closed on' : othersLabel(rest)}
            value={answer.day ?? undefined}
            latest={today}
            onChange={(day) => onAnswer({ ...answer, day: day ?? null })}
          />
        </div>
      )}
    </Alert>
  )
}

function othersLabel(count: number): string {
  return count === 1
    ? 'The other deal was closed on (leave empty to skip it)'
    : `The other ${count} were closed on (leave empty to skip them)`
}
