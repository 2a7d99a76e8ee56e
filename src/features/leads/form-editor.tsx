import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { leadFormSchema, usualThanks } from '#domain/lead-form.ts'
import { useCollections } from '#features/collections/index.ts'
import { usePipelines } from '#features/pipelines/index.ts'
import { newId } from '#lib/new-id.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { FieldsEditor } from './fields-editor.tsx'
import { FormPreview } from './form-preview.tsx'
import classes from './leads.module.css'
import { type LeadForm, useChangeForm, useCreateForm } from './queries.ts'

type Inputs = z.input<typeof leadFormSchema>

const blank: Inputs = {
  name: '',
  title: '',
  intro: '',
  fields: [
    { name: 'first_name', label: 'First name', is_required: true },
    { name: 'last_name', label: 'Last name', is_required: false },
    { name: 'email', label: 'Email', is_required: true },
    { name: 'message', label: 'Message', is_required: false },
  ],
  thanks: '',
  redirect_url: '',
  collection_id: null,
  tag: '',
  pipeline_id: null,
  task_title: '',
  task_days: 1,
}

function inputsOf(form: LeadForm | undefined): Inputs {
  if (!form) return blank
  const { id: _, slug: __, ...rest } = form
  return {
    ...rest,
    title: rest.title ?? '',
    intro: rest.intro ?? '',
    thanks: rest.thanks ?? '',
    redirect_url: rest.redirect_url ?? '',
    tag: rest.tag ?? '',
    task_title: rest.task_title ?? '',
    task_days: rest.task_days ?? 1,
  }
}

type FormEditorProps = { form?: LeadForm; onClose: () => void }

/** Makes or changes a form, with a preview. */
export function FormEditor({ form: edited, onClose }: FormEditorProps) {
  const create = useCreateForm()
  const change = useChangeForm()
  const { rows: collections } = useCollections()
  const { pipelines } = usePipelines()
  // One for all tries, so that a lost answer makes no second form.
  const [id] = useState(() => edited?.id ?? newId())
  const { form, dialog } = useRecordForm({
    schema: leadFormSchema,
    initialValues: inputsOf(edited),
    async save(values) {
      await (edited ? change({ id, ...values }) : create({ id, slug: null, ...values }))
      onClose()
    },
  })
  const values = form.getValues()
  const input = (name: keyof Inputs) => ({ name, ...form.getInputProps(name) })
  return (
    <FormDialog
      title={edited ? 'Edit form' : 'New form'}
      submitLabel={edited ? 'Save' : 'Create form'}
      {...dialog}
      onClose={onClose}
      size={880}
    >
      <div className={classes.editor}>
        <div className={classes.inputs}>
          <TextInput
            label="Name"
            placeholder="Website"
            description="Shown in your history: “Form Website · Added contact …”"
            data-autofocus
            autoComplete="off"
            {...input('name')}
          />
          <TextInput
            label="Heading"
            placeholder={values.name || 'Get in touch'}
            description="Visitors see it. Leave empty to show the name."
            {...input('title')}
          />
          <Textarea label="Text below the heading" autosize minRows={2} {...input('intro')} />
          <FieldsEditor
            fields={values.fields}
            error={form.errors.fields}
            onChange={(fields) => form.setFieldValue('fields', fields)}
          />
          <h3 className={classes.part}>After submitting</h3>
          <Textarea
            label="Thank-you message"
            placeholder={usualThanks}
            autosize
            minRows={2}
            {...input('thanks')}
          />
          <TextInput
            label="Or redirect to"
            placeholder="https://acme.com/thanks"
            inputMode="url"
            {...input('redirect_url')}
          />
          <h3 className={classes.part}>For each submission</h3>
          <Select
            label="Add to collection"
            placeholder="None"
            data={collections.map(({ id: value, name }) => ({ value, label: name }))}
            clearable
            {...input('collection_id')}
          />
          <TextInput label="Add tag" placeholder="None" {...input('tag')} />
          <Select
            label="Create a deal in the first stage of"
            placeholder="No deal"
            data={pipelines.map(({ id: value, name }) => ({ value, label: name }))}
            clearable
            {...input('pipeline_id')}
          />
          <div className={classes.task}>
            <TextInput label="Create task" placeholder="No task" {...input('task_title')} />
            <NumberInput
              label="Due in days"
              min={0}
              max={365}
              allowDecimal={false}
              {...input('task_days')}
            />
          </div>
        </div>
        <FormPreview values={values} />
      </div>
    </FormDialog>
  )
}
