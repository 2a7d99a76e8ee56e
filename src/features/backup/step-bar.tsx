import { Progress, Text } from '@mantine/core'
import { shownNumber } from '#domain/figures.ts'
import { PanelRow } from '#ui/panel.tsx'

type StepBarProps = { words: string; done: number; total: number; unit?: 'rows' | 'MB' }

/** A progress bar with text. */
export function StepBar({ words, done, total, unit = 'rows' }: StepBarProps) {
  const figures = `${shownNumber(done)} of ${shownNumber(total)} ${unit}`
  return (
    <PanelRow
      isWide
      title={
        <Text size="sm" role="status">
          {words}...
        </Text>
      }
      text={
        <>
          {total > 0 && figures}
          <Progress
            mt={8}
            size="sm"
            value={(100 * done) / Math.max(total, 1)}
            aria-label={`${words}: ${figures}`}
          />
        </>
      }
    />
  )
}
