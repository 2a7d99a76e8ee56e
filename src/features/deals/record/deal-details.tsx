import { dayOf, shownDay } from '#domain/dates.ts'
import { isPastClose, shownStage, stageInPipeline } from '#domain/deal.ts'
import { dealFields, dealFieldsIn } from '#domain/fields/deals.ts'
import { FieldDetails } from '#features/fields/index.ts'
import { DealRate } from '#features/money/index.ts'
import { AddFieldButton, useOwnFields } from '#features/own-fields/index.ts'
import { usePipelines } from '#features/pipelines/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { useNow } from '#lib/use-now.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { FieldFact } from '#ui/field-row.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { StageBadge } from '../deal-columns.tsx'
import { type Deal, type DealChanges, useReadDealsAgain, useUpdateDeal } from '../queries.ts'
import { DealCompany, DealContact } from './deal-links.tsx'
import { useStageChoice } from './use-stage-choice.tsx'

/** What is known of a deal, edited where it stands. */
export function DealDetails({ deal }: { deal: Deal }) {
  const update = useUpdateDeal()
  const readAgain = useReadDealsAgain()
  const timeZone = useTimeZone()
  const today = dayOf(useNow(), timeZone)
  const { own } = useOwnFields('deals')
  const fields = { ...dealFieldsIn(deal.currency), ...own }
  const field = useDetailFields({
    record: deal,
    fields,
    update: ({ seen, values }: { seen: Deal; values: Partial<DealChanges> }) =>
      update({ seen, values, names: {} }),
  })
  const { closed_at, outcome } = deal
  return (
    <RecordSection title="Details">
      <FieldDetails
        fields={fields}
        record={deal}
        field={field}
        onTakeTheirs={readAgain}
        currencies={{ value: deal.currency }}
        alarming={isPastClose(deal, today) ? ['expected_close_date'] : []}
        special={{
          pipeline_id: <PipelineAndStage deal={deal} />,
          stage_id: null,
          // Only a lost deal has a reason.
          ...(outcome === 'lost' ? {} : { lost_reason: null }),
          company_id: <DealCompany deal={deal} />,
          contact_id: <DealContact deal={deal} />,
        }}
      />
      <DealRate
        deal={deal}
        onCorrect={(rate) => update({ seen: deal, values: { rate }, names: {} })}
      />
      <FieldFact label={dealFields.created_at.label}>
        {shownDay(deal.created_at, timeZone)}
      </FieldFact>
      {outcome !== 'open' && closed_at && (
        <FieldFact label={dealFields.closed_at.label}>{shownDay(closed_at, timeZone)}</FieldFact>
      )}
      <AddFieldButton record="deals" />
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
        label={dealFields.pipeline_id.label}
        value={deal.pipeline_id ?? ''}
        values={pipelines.map(({ id }) => id)}
        render={(wanted) => (
          // The names come after the deal: until then it must not look as if it had none.
          <bdi>{wanted ? pipelines.find(({ id }) => id === wanted)?.name : 'No pipeline'}</bdi>
        )}
        onChoose={(pipeline_id) => {
          const { stage_name: name, outcome } = deal
          const there = pipelines.find(({ id }) => id === pipeline_id)?.stages ?? []
          const stage = stageInPipeline(there, name === null ? null : { name, outcome })
          const values = { pipeline_id, stage_id: stage?.id ?? null }
          // The mutation reports a failure and rolls back.
          update({ seen: deal, values, names: shownStage(stage) }).catch(() => {})
        }}
      />
      <EditableChoice
        label={dealFields.stage_id.label}
        // By name, as in the stage path: a write under way may have no id yet.
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
