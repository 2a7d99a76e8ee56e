import { Select } from '@mantine/core'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { z } from 'zod'
import { contactName } from '#domain/contact.ts'
import { firstStage, noStage, shownStage, stageInPipeline } from '#domain/deal.ts'
import { dealPeopleSchema, peopleChanges } from '#domain/deal-contacts.ts'
import { dealFields, dealFieldsIn } from '#domain/fields/deals.ts'
import { formLabels, formTexts, inputsOf, ownTexts } from '#domain/fields/form.ts'
import { type DealInput, newDeal } from '#domain/fields/record-forms.ts'
import { lostReasonSchema } from '#domain/lost-reasons.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { FieldInput, FieldInputs, recordInput } from '#features/fields/index.ts'
import type { Linked } from '#features/forms/index.ts'
import { DealCurrency } from '#features/money/index.ts'
import { AddFieldButton, useOwnForm } from '#features/own-fields/index.ts'
import { readPipelines, usePipelines } from '#features/pipelines/index.ts'
import { SimilarRecords } from '#features/similar/index.ts'
import { useRecordEditor } from '#lib/use-record-editor.ts'
import { RecordDialog } from '#ui/record-dialog.tsx'
import { asName, DealPeopleInput, shownPeople, useStoredPeople } from './deal-people-input.tsx'
import { LostReasonInput } from './lost-reason-input.tsx'
import {
  type Deal,
  type DealNames,
  useCreateDeal,
  useReadDealsAgain,
  useUpdateDeal,
} from './queries.ts'

type DealPreset = {
  pipeline?: string
  stage?: string | null
  company?: Linked | null
  contact?: Linked | null
}

type DealDialogProps = {
  /** The record to edit; undefined for a new one. */
  deal?: Deal
  /** What a new one begins with. */
  preset?: DealPreset
  /** Called after saving, before the form closes. */
  onSaved?: () => void
  onClose: () => void
}

/** 'Create Deal' and 'Edit Deal'. */
export function DealDialog({ deal, preset = {}, onSaved, onClose }: DealDialogProps) {
  const create = useCreateDeal()
  const update = useUpdateDeal()
  const readAgain = useReadDealsAgain()
  const { pipelines, error: unread } = usePipelines()
  const [company, setCompany] = useState(deal ? companyOf(deal) : (preset.company ?? null))
  const [contact, setContact] = useState(deal ? contactOf(deal) : (preset.contact ?? null))
  const [isCovered, setIsCovered] = useState(false)
  const allStages = pipelines.flatMap(({ stages }) => stages)
  const becomesLost = (stageId: string | null) =>
    deal?.outcome !== 'lost' && allStages.find(({ id }) => id === stageId)?.outcome === 'lost'
  const names = (stageId: string | null): DealNames => ({
    ...shownStage(allStages.find(({ id }) => id === stageId)),
    company_name: company?.name ?? null,
    contact: contact && deal?.contact_id === contact.id ? deal.contact : asName(contact),
  })
  const [currency, setCurrency] = useState(deal?.currency ?? null)
  const fields = useMemo(() => dealFieldsIn(currency), [currency])
  const { own, schema } = useOwnForm('deals', fields)
  const checked = useMemo(
    () => z.intersection(schema, z.intersection(dealPeopleSchema, lostReasonSchema)),
    [schema],
  )
  const stored = useStoredPeople(deal)
  /** What a write holds besides the values of the deal. */
  const withPeople = ({ people: typed, reason, ...stated }: z.output<typeof checked>) => {
    const values = becomesLost(stated.stage_id) ? { ...stated, lost_reason: reason } : stated
    const people = peopleChanges(stored.people, typed, values.contact_id)
    const shown = people.length > 0 ? { people: shownPeople(stored.people, typed) } : {}
    return { values, people, names: { ...names(values.stage_id), ...shown } }
  }
  /** Saved before the pipelines were read, a deal begins in the first stage all the same. */
  async function withPlace(values: z.output<typeof checked>): Promise<z.output<typeof checked>> {
    const isPlaced = pipelines.length > 0 || values.stage_id !== null || preset.stage !== undefined
    if (isPlaced) return values
    const read = await readPipelines()
    const first = read.find(({ id }) => id === preset.pipeline) ?? read[0]
    if (!first) return values
    return { ...values, pipeline_id: first.id, stage_id: firstStage(first.stages)?.id ?? null }
  }
  const { form, dialog, other } = useRecordEditor({
    schema: checked,
    record: deal,
    initialValues: {
      ...(deal ? inputsOf(dealFields, deal) : blank(preset)),
      custom: {},
      people: null,
      reason: '',
    },
    create: async ({ id, values }) => create({ id, ...withPeople(await withPlace(values)) }),
    update: ({ seen, values }) => update({ seen, ...withPeople(values) }),
    onSaved() {
      onSaved?.()
      onClose()
    },
  })
  // A new deal goes to the oldest pipeline, unless another was chosen.
  const pipeline =
    pipelines.find(({ id }) => id === form.values.pipeline_id) ?? (deal ? undefined : pipelines[0])
  // The pipelines may be read after the form has opened.
  const begin = pipelines.find(({ id }) => id === preset.pipeline) ?? pipelines[0]
  const place = useEffectEvent(() => {
    if (!begin || deal || preset.stage !== undefined || form.isTouched('stage_id')) return
    const first = { pipeline_id: begin.id, stage_id: firstStage(begin.stages)?.id ?? null }
    form.setValues(first)
    // What the form begins with is no change of the user's.
    form.resetDirty({ ...form.getInitialValues(), ...first })
  })
  const isKnown = begin !== undefined
  useEffect(() => {
    if (isKnown) place()
  }, [isKnown])

  function chooseContact(chosen: Linked | null): void {
    setContact(chosen)
    form.setFieldValue('contact_id', chosen?.id ?? null)
  }

  return (
    <RecordDialog
      name="Deal"
      verb="Create"
      size={560}
      isThere={Boolean(deal)}
      {...dialog}
      onClose={onClose}
      isCovered={isCovered}
      notice={
        !deal && (
          <SimilarRecords
            kind="deals"
            typed={{
              name: form.values.name,
              company_id: form.values.company_id,
              contact_id: form.values.contact_id,
            }}
          />
        )
      }
      conflict={
        other && {
          fields: { ...formLabels(dealFields), ...formLabels(own) },
          mine: {
            ...formTexts(
              dealFields,
              form.values,
              shownNames(names(form.values.stage_id), pipeline?.name),
            ),
            ...ownTexts(own, deal, form.values.custom),
          },
          theirs: {
            ...formTexts(
              dealFields,
              other,
              shownNames(other, pipelines.find(({ id }) => id === other.pipeline_id)?.name),
            ),
            ...ownTexts(own, other),
          },
          onTakeTheirs() {
            readAgain()
            onClose()
          },
        }
      }
    >
      <FieldInputs
        fields={{ ...dealFields, ...own }}
        form={form}
        record={deal}
        wide={['name', 'contact_id']}
        special={{
          value: (
            <FieldInput
              name="value"
              field={dealFields.value}
              form={form}
              isFirst={false}
              currency={form.values.currency || undefined}
            />
          ),
          currency: (
            <DealCurrency
              label={dealFields.currency.label}
              name="currency"
              value={form.values.currency}
              onChange={(code) => {
                setCurrency(code || null)
                form.setFieldValue('currency', code)
              }}
              error={form.errors.currency}
              onCovered={setIsCovered}
            />
          ),
          pipeline_id: (
            <Select
              label={dealFields.pipeline_id.label}
              name="pipeline_id"
              placeholder={unread ? 'Could not be loaded' : 'No pipeline'}
              data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
              allowDeselect={false}
              value={pipeline?.id ?? null}
              onChange={(id) => {
                form.setFieldValue('pipeline_id', id)
                if (id === pipeline?.id) return
                const chosen = pipelines.find((each) => each.id === id)
                const stages = chosen?.stages ?? []
                const from = allStages.find((each) => each.id === form.values.stage_id) ?? null
                const stage = deal ? stageInPipeline(stages, from) : firstStage(stages)
                form.setFieldValue('stage_id', stage?.id ?? null)
              }}
              error={form.errors.pipeline_id}
            />
          ),
          stage_id: (
            <Select
              label={dealFields.stage_id.label}
              name="stage_id"
              placeholder={noStage}
              clearable
              clearButtonProps={{ 'aria-label': 'Clear Stage', 'aria-hidden': false }}
              data={(pipeline?.stages ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              value={form.values.stage_id}
              onChange={(id) => {
                form.setFieldValue('stage_id', id)
                if (pipeline) form.setFieldValue('pipeline_id', pipeline.id)
              }}
              error={form.errors.stage_id}
            />
          ),
          company_id: (
            <CompanySelect
              chosen={company}
              onChoose={(chosen) => {
                setCompany(chosen)
                form.setFieldValue('company_id', chosen?.id ?? null)
                if (chosen?.id !== company?.id) chooseContact(null)
              }}
              {...recordInput(form, 'company_id', setIsCovered)}
            />
          ),
          contact_id: (
            <DealPeopleInput
              form={form}
              main={contact}
              onChooseMain={chooseContact}
              company={company}
              stored={stored}
              onCovered={setIsCovered}
            />
          ),
        }}
      />
      {becomesLost(form.values.stage_id) && (
        <LostReasonInput
          label={dealFields.lost_reason.label}
          name="reason"
          {...form.getInputProps('reason')}
          value={form.values.reason}
          onReason={(reason) => form.setFieldValue('reason', reason)}
        />
      )}
      <AddFieldButton record="deals" onCovered={setIsCovered} />
    </RecordDialog>
  )
}

function blank({ pipeline, stage, company, contact }: DealPreset): DealInput {
  return {
    ...newDeal,
    pipeline_id: pipeline ?? null,
    stage_id: stage ?? null,
    company_id: company?.id ?? null,
    contact_id: contact?.id ?? null,
  }
}

function companyOf({ company_id, company_name }: Deal): Linked | null {
  return company_id ? { id: company_id, name: company_name ?? '' } : null
}

function contactOf({ contact_id, contact }: Deal): Linked | null {
  return contact_id && contact ? { id: contact_id, name: contactName(contact) } : null
}

function shownNames(
  { stage_name, company_name, contact }: DealNames,
  pipeline: string | undefined,
) {
  return {
    pipeline_id: pipeline,
    stage_id: stage_name,
    company_id: company_name,
    contact_id: contact && contactName(contact),
  }
}
