import { dayOf, shownDate, shownDay } from '#domain/dates.ts'
import { dealSchema, isClosed, isPastClose, lostReasonSchema, lostStage } from '#domain/deal.ts'
import { shownMoney } from '#domain/money.ts'
import { usePipelines } from '#features/pipelines/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { useNow } from '#lib/use-now.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { EditableField } from '#ui/editable-field.tsx'
import { FieldFact } from '#ui/field-row.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { StageBadge } from '../deal-columns.tsx'
import { type Deal, useReadDealsAgain, useUpdateDeal } from '../queries.ts'
import { DealCompany, DealContact } from './deal-links.tsx'
import { useStageChoice } from './use-stage-choice.tsx'

type TextField = 'name' | 'value' | 'expected_close_date' | 'lost_reason'

const schema = dealSchema.extend({ lost_reason: lostReasonSchema.shape.reason })

/** What is known of a deal, edited where it stands. */
export function DealDetails({ deal }: { deal: Deal }) {
  const update = useUpdateDeal()
  const readAgain = useReadDealsAgain()
  const timeZone = useTimeZone()
  const today = dayOf(useNow(), timeZone)
  const field = useDetailFields({
    record: deal,
    schema,
    textsOf,
    inputOf: (name: TextField, text) => (name === 'value' ? amountIn(text) : text),
    update: ({ seen, values }) => update({ seen, values, names: {} }),
  })
  const { expected_close_date, closed_at, stage_name } = deal
  return (
    <RecordSection title="Details">
      <EditableField label="Deal Name" {...field('name')} onTakeTheirs={readAgain} />
      <EditableField
        label="Value"
        inputMode="decimal"
        {...field('value')}
        shown={shownMoney(deal.value)}
        onTakeTheirs={readAgain}
      />
      <EditableField
        label="Expected Close Date"
        type="date"
        {...field('expected_close_date')}
        shown={expected_close_date ? shownDate(expected_close_date) : ''}
        empty="Not set"
        isAlarming={isPastClose(deal, today)}
        onTakeTheirs={readAgain}
      />
      <PipelineAndStage deal={deal} />
      {stage_name === lostStage && (
        <EditableField
          label="Lost Reason"
          isLong
          {...field('lost_reason')}
          onTakeTheirs={readAgain}
        />
      )}
      <DealCompany deal={deal} />
      <DealContact deal={deal} />
      <FieldFact label="Created">{shownDay(deal.created_at, timeZone)}</FieldFact>
      {isClosed(stage_name) && closed_at && (
        <FieldFact label="Closed">{shownDay(closed_at, timeZone)}</FieldFact>
      )}
    </RecordSection>
  )
}

function PipelineAndStage({ deal }: { deal: Deal }) {
  const update = useUpdateDeal()
  const { pipelines } = usePipelines()
  const { choose, question } = useStageChoice(deal)
  const pipeline = pipelines.find(({ id }) => id === deal.pipeline_id)
  const stages = pipeline?.stages ?? []
  const stageOf = (wanted: string) => stages.find(({ id }) => id === wanted) ?? null
  return (
    <>
      <EditableChoice
        label="Pipeline"
        value={deal.pipeline_id ?? ''}
        values={pipelines.map(({ id }) => id)}
        render={(wanted) => (
          <bdi>{pipelines.find(({ id }) => id === wanted)?.name ?? 'No pipeline'}</bdi>
        )}
        onChoose={(pipeline_id) => {
          // A stage of the old pipeline has no place in the new one.
          const values = { pipeline_id, stage_id: null }
          // A failure has been told, and the old one is back.
          update({ seen: deal, values, names: { stage_name: null } }).catch(() => {})
        }}
      />
      <EditableChoice
        label="Stage"
        // By its name, as the path tells it too: see there.
        value={stages.find(({ name }) => name === deal.stage_name)?.id ?? deal.stage_id ?? ''}
        values={['', ...stages.map(({ id }) => id)]}
        render={(wanted) => (
          <StageBadge stage={wanted === '' ? null : (stageOf(wanted)?.name ?? deal.stage_name)} />
        )}
        onChoose={(wanted) => choose(stageOf(wanted))}
      />
      {question}
    </>
  )
}

function textsOf(deal: Deal): Record<TextField, string> {
  return {
    name: deal.name,
    value: String(deal.value),
    expected_close_date: deal.expected_close_date ?? '',
    lost_reason: deal.lost_reason ?? '',
  }
}

/** '$1,250.5' as people type it is 1250.5; what is no such figure stays, for the schema to refuse. */
function amountIn(text: string): string {
  const isGrouped = /^\s*\$?\s*\d{1,3}(,\d{3})*(\.\d*)?\s*$/.test(text)
  return isGrouped ? text.replace(/[$,\s]/g, '') : text
}
