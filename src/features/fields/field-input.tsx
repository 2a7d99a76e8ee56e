import { Autocomplete, Select, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ClipboardEvent, ReactNode } from 'react'
import { shownDaysBefore, usualDaysBefore } from '#domain/birthday.ts'
import { type Field, labelOf, valueAt } from '#domain/fields/field.ts'
import { inputOf } from '#domain/fields/form.ts'
import { currencySign } from '#domain/money.ts'
import { TagInput } from '#features/tags/index.ts'
import { OptionInput } from './option-input.tsx'

export type FieldInputOptions = {
  form: { getInputProps: (name: string) => GetInputPropsReturnType }
  /** The record that is edited. The form holds those of the user's own fields that were touched. */
  record?: object | undefined
  /** What stands behind the label of a field that is required. */
  mark?: string
  /** Told of a text that is pasted into a field; true when it was put where it belongs. */
  onPasteText?: (name: string, text: string) => boolean
  /** What stands at the end of an e-mail address or a number; null for nothing. */
  asideOf?: (name: string) => ReactNode
  /** The height of a long text, in lines. */
  lines?: { least: number; most: number }
}

type FieldInputProps = FieldInputOptions & {
  name: string
  field: Field
  isFirst: boolean
  description?: string
  /** Of an amount, where that is not the account's. */
  currency?: string | undefined
}

/** The input of one field in a form, as its kind wants it. Records and moments have inputs of their own. */
export function FieldInput({
  name,
  field,
  form,
  record,
  isFirst,
  description,
  mark = ' *',
  onPasteText,
  asideOf,
  lines = { least: 3, most: 10 },
  currency,
}: FieldInputProps) {
  const { kind, isRequired = false, isOptional, choices = [], choiceNames } = field
  const label = `${labelOf(field, 'form')}${isRequired ? mark : ''}`
  const input = form.getInputProps(name)
  const value =
    input.value === undefined ? inputOf(field, valueAt(record ?? {}, name)) : input.value
  const common = { label, name, ...(description ? { description } : {}), ...input, value }
  const typed = {
    autoComplete: 'off',
    ...(isRequired ? { required: true, withAsterisk: false } : {}),
    ...(isFirst ? { 'data-autofocus': true } : {}),
    ...common,
  }
  function paste(event: ClipboardEvent): void {
    if (onPasteText?.(name, event.clipboardData.getData('text'))) event.preventDefault()
  }
  const end = String(value ?? '').trim() === '' ? null : asideOf?.(name)
  const aside = end ? { rightSection: end, rightSectionWidth: 88 } : {}
  // The currency of a deal stands beside its value; own amounts are in that of the account.
  const sign = kind === 'money' ? currencySign(currency) : ''
  switch (kind) {
    case 'text':
      return <TextInput dir="auto" {...typed} />
    case 'long text':
      return <Textarea dir="auto" autosize minRows={lines.least} maxRows={lines.most} {...common} />
    case 'email':
      return <TextInput type="email" {...typed} {...aside} onPaste={paste} />
    case 'phone':
      return <TextInput type="tel" {...typed} {...aside} onPaste={paste} />
    case 'link':
      return <TextInput type="url" placeholder="https://acme.com" {...typed} />
    // Texts: a browser's own input for numbers drops what it cannot read, and makes 1.2345 of "1.234,50".
    case 'number':
      return <TextInput inputMode="decimal" {...typed} />
    case 'money':
      return (
        <TextInput
          inputMode="decimal"
          min={0}
          step={0.01}
          leftSection={sign}
          leftSectionWidth={sign.length > 2 ? 52 : 36}
          placeholder={isOptional ? '' : '0'}
          {...typed}
        />
      )
    case 'day':
      return <TextInput type="date" {...common} />
    case 'choice':
    case 'several choices':
    case 'yes/no':
      if (isOptional) return <OptionInput field={field} {...common} />
      return (
        <Select
          data={choices.map((choice) => ({
            value: choice,
            label: choiceNames?.[choice] ?? choice,
          }))}
          allowDeselect={false}
          {...common}
        />
      )
    case 'birthday':
      return <TextInput placeholder="May 3 or May 3, 1990" {...typed} />
    case 'days before':
      return (
        <Autocomplete
          placeholder="None"
          data={usualDaysBefore.map(shownDaysBefore)}
          // What was chosen does not hide the other choices.
          filter={({ options }) => options}
          selectFirstOptionOnChange={false}
          {...typed}
          value={String(value ?? '')}
        />
      )
    case 'tags':
      return <TagInput {...common} value={Array.isArray(value) ? value : []} />
    default:
      return null
  }
}
