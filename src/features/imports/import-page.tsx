import { Alert, Progress, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { LoadingState } from '#ui/states.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import { CheckStep } from './check-step.tsx'
import { ChooseStep } from './choose-step.tsx'
import { DoneStep } from './done-step.tsx'
import classes from './imports.module.css'
import { LeftOutLines } from './left-out-lines.tsx'
import { MappingStep } from './mapping-step.tsx'
import { PastImports } from './past-imports.tsx'
import { type Import, useImport } from './use-import.ts'

/** Brings in records from a CSV file: chosen, interpreted, checked, imported. */
export function ImportPage() {
  const work = useImport()
  const { stage, problem } = work
  const isBegun = stage.is === 'choosing' && Boolean(work.pasted?.trim())
  // A write continues after leaving, and its end is reported on any screen.
  const isKept = stage.is === 'choosing' || stage.is === 'writing' || stage.is === 'done'
  const leave = useLeaveQuestion(isBegun || !isKept)
  return (
    <Stack gap="lg" maw={1440} w="100%">
      <div>
        <ScreenHeader
          back={{ label: 'Settings', to: '/app/settings' }}
          title="Import"
          subtitle="Add contacts, companies or deals from a CSV, Excel or vCard file. Review everything before it’s saved."
        />
        {problem && (
          <Alert
            color="red"
            variant="light"
            icon={<IconAlertCircle size={18} stroke={1.5} aria-hidden />}
            role="alert"
            mb="md"
          >
            {problem}
          </Alert>
        )}
        {(stage.is === 'mapping' || stage.is === 'checked') && (
          <LeftOutLines
            lines={stage.file.interpretation.footers}
            onChange={(place, isKept) => work.keepLine(stage.file, place, isKept)}
          />
        )}
        <Step
          work={work}
          onStartOver={async () => {
            if (await leave.mayLeave()) work.startOver()
          }}
        />
      </div>
      {(stage.is === 'choosing' || stage.is === 'done') && <PastImports />}
    </Stack>
  )
}

type StepProps = { work: Import; onStartOver: () => void }

function Step({ work, onStartOver }: StepProps) {
  const { stage } = work
  switch (stage.is) {
    case 'choosing':
      return <ChooseStep pasted={work.pasted} onPaste={work.setPasted} onChoose={work.choose} />
    case 'reading':
      return <LoadingState text={`Reading ${stage.name}...`} />
    case 'mapping':
      return <MappingStep work={work} mapping={stage} onStartOver={onStartOver} />
    case 'sending':
      return (
        <Working
          text={
            stage.isLost
              ? 'Connection lost. Trying again...'
              : `Checking ${counted(stage.file.interpretation.rowCount, 'row')}...`
          }
          percent={(stage.sent / stage.file.interpretation.rowCount) * 100}
        />
      )
    case 'checked':
      return <CheckStep work={work} checked={stage} onStartOver={onStartOver} />
    case 'writing':
      return (
        <Working
          text={
            stage.isLost
              ? 'Connection lost. Checking on the import...'
              : 'Importing. Large files may take a minute or two...'
          }
          percent={null}
        />
      )
    case 'done':
      return <DoneStep work={work} done={stage} />
  }
}

type WorkingProps = {
  text: string
  /** Null for an indeterminate bar. */
  percent: number | null
}

function Working({ text, percent }: WorkingProps) {
  return (
    <div className={classes.card}>
      <Text role="status" mb="sm">
        {text}
      </Text>
      <Progress
        value={percent ?? 100}
        animated={percent === null}
        aria-label={percent === null ? 'Importing' : 'Rows sent'}
      />
    </div>
  )
}
