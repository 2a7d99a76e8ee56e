import { dealFields, dealFieldsIn } from '#domain/fields/deals.ts'
import { FieldDetails } from '#features/fields/index.ts'
import { useOwnFields } from '#features/own-fields/index.ts'
import { usePipelines } from '#features/pipelines/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { chosenDeal } from './chosen-deal.ts'
import { useCloseDeals } from './closing/queries.ts'
import { StageBadge } from './deal-columns.tsx'
import { type Deal, type DealChanges, useReadDealsAgain, useUpdateDeal } from './queries.ts'
import { useMoveToStage } from './record/queries.ts'

type DealCellFieldProps = {
  deal: Deal
  name: string
  /** A loss asks for its reason. */
  onLost: (deal: Deal) => void
}

/** A field of a deal, edited in its cell as in the details. */
export function DealCellField({ deal, name, onLost }: DealCellFieldProps) {
  const update = useUpdateDeal()
  const readAgain = useReadDealsAgain()
  const { own } = useOwnFields('deals')
  const fields = { ...dealFieldsIn(deal.currency), ...own }
  const edited = Object.entries(fields).filter(([each]) => each === name)
  const field = useDetailFields({
    record: deal,
    fields,
    update: ({ seen, values }: { seen: Deal; values: Partial<DealChanges> }) =>
      update({ seen, values, names: {} }),
  })
  return (
    <FieldDetails
      fields={Object.fromEntries(edited)}
      record={deal}
      field={field}
      onTakeTheirs={readAgain}
      currencies={{ value: deal.currency }}
      special={{ stage_id: <StageChoice deal={deal} onLost={onLost} /> }}
    />
  )
}

/** The stages of the deal's pipeline: one that closes it means the same as the buttons of its page. */
function StageChoice({ deal, onLost }: Omit<DealCellFieldProps, 'name'>) {
  const move = useMoveToStage()
  const win = useCloseDeals('won')
  const { pipelines } = usePipelines()
  const stages = pipelines.find(({ id }) => id === deal.pipeline_id)?.stages ?? []
  const stageOf = (wanted: string) => stages.find(({ id }) => id === wanted) ?? null
  return (
    <EditableChoice
      label={dealFields.stage_id.label}
      value={deal.stage_id ?? ''}
      values={['', ...stages.map(({ id }) => id)]}
      render={(wanted) => <StageBadge stage={stageOf(wanted)?.name ?? null} />}
      onChoose={(wanted) => {
        const stage = stageOf(wanted)
        // The mutations report a failure and roll back.
        if (stage?.outcome === 'won') win(chosenDeal(deal)).catch(() => {})
        else if (stage?.outcome === 'lost') onLost(deal)
        else move({ seen: deal, stage }).catch(() => {})
      }}
    />
  )
}
