import { Button, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './imports.module.css'
import { usePastImports } from './queries.ts'
import { RejectedButton } from './rejected-button.tsx'
import { UndoImportButton } from './undo-import-button.tsx'
import type { Import, Stage } from './use-import.ts'
import { summaryInWords } from './words.ts'

type DoneStepProps = { work: Import; done: Extract<Stage, { is: 'done' }> }

/** What became of the file. */
export function DoneStep({ work, done }: DoneStepProps) {
  const { file, id, state } = done
  const { kind } = file.interpretation.plan
  const past = usePastImports()
  const isUndone = past.data?.find((each) => each.id === id)?.is_undone ?? false
  return (
    <section className={classes.card} aria-label="Summary">
      <Title order={2} className={classes.doneTitle ?? ''}>
        <IconCircleCheck size={20} stroke={1.5} aria-hidden className={classes.doneIcon} />
        {isUndone ? 'Import undone' : 'Import complete'}
      </Title>
      <Text role="status" mt="xs">
        {state.summary && summaryInWords(kind, state.summary).join(', ')}.
      </Text>
      <div className={classes.foot}>
        {(state.summary?.rejected ?? 0) > 0 && (
          <RejectedButton
            work={work}
            id={id}
            fileName={file.name}
            icon={<IconDownload size={16} stroke={1.5} aria-hidden />}
          />
        )}
        {state.batch && !isUndone && <UndoImportButton batch={state.batch} label="Undo import" />}
        <Button variant="default" onClick={work.startOver}>
          Import another file
        </Button>
        <Button component={Link} to={`/app/${kind}`}>
          Show {kind}
        </Button>
      </div>
    </section>
  )
}
