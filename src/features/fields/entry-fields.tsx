import { Autocomplete, type AutocompleteProps, TextInput } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type AddressPart,
  type AnyEntry,
  addressParts,
  type Entry,
  isPostal,
  type ListKind,
  labelShown,
  usualLabels,
} from '#domain/fields/entries.ts'
import { pastedEntries } from '#domain/fields/pasted-entries.ts'
import classes from './entry-fields.module.css'

type EntryFieldsProps = {
  kind: ListKind
  /** 'Email 2': its place in the list, as people count. */
  called: string
  entry: AnyEntry
  /** The path of the entry in a form: the name of each input begins with it. */
  name?: string
  errorOf: (part: string) => ReactNode
  onChange: (entry: AnyEntry, part: string) => void
  /** Several values were pasted: the first is for this entry. */
  onPasteMany: (entries: Entry[]) => void
  /** The name of the record: beside a pasted address it says nothing new. */
  owner: string
  /** Takes the focus when it appears. */
  isNew: boolean
  isNarrow?: boolean
  /** While it is saved: what would be typed then would be lost. */
  isFixed?: boolean
  /** What can be done with the entry. */
  children?: ReactNode
}

const types: Record<Exclude<ListKind, 'addresses'>, 'email' | 'tel' | 'url'> = {
  emails: 'email',
  phones: 'tel',
  links: 'url',
}

/** The inputs of one e-mail address, phone number, link or postal address, and of its label. */
export function EntryFields({
  kind,
  called,
  entry,
  name = '',
  errorOf,
  onChange,
  onPasteMany,
  owner,
  isNew,
  isNarrow = false,
  isFixed = false,
  children,
}: EntryFieldsProps) {
  const first = useRef<HTMLInputElement>(null)
  const shouldFocus = useRef(isNew)
  useEffect(() => {
    if (shouldFocus.current) first.current?.focus()
    shouldFocus.current = false
  }, [])
  const common = (part: string) => ({
    ...(name ? { name: `${name}.${part}` } : {}),
    error: errorOf(part),
    autoComplete: 'off',
    readOnly: isFixed,
  })
  function paste(event: ClipboardEvent): void {
    const entries = pastedEntries(kind, event.clipboardData.getData('text'), owner)
    if (entries.length === 0) return
    event.preventDefault()
    onPasteMany(entries)
  }
  return (
    <div className={`${classes.entry} ${isNarrow ? classes.narrow : ''}`}>
      {isPostal(entry) ? (
        <div className={classes.parts}>
          {(Object.keys(addressParts) as AddressPart[]).map((part, place) => (
            <TextInput
              key={part}
              ref={place === 0 ? first : null}
              aria-label={`${called}: ${addressParts[part]}`}
              placeholder={addressParts[part]}
              dir="auto"
              {...common(part)}
              value={entry[part]}
              onChange={(event) => onChange({ ...entry, [part]: event.currentTarget.value }, part)}
            />
          ))}
        </div>
      ) : (
        <TextInput
          ref={first}
          type={kind === 'addresses' ? 'text' : types[kind]}
          aria-label={called}
          placeholder={kind === 'links' ? 'https://acme.com' : called}
          {...common('value')}
          value={entry.value}
          onChange={(event) => onChange({ ...entry, value: event.currentTarget.value }, 'value')}
          onPaste={paste}
        />
      )}
      <LabelInput
        of={called}
        {...common('label')}
        value={entry.label}
        onChange={(label) => onChange({ ...entry, label }, 'label')}
      />
      {children}
    </div>
  )
}

type LabelInputProps = Omit<AutocompleteProps, 'value' | 'onChange' | 'data' | 'filter'> & {
  /** What has the label. */
  of: string
  value: string
  onChange: (label: string) => void
}

/** What an entry is called: work, home or any word. */
export function LabelInput({ of, value, onChange, ...input }: LabelInputProps) {
  const [isTyping, setIsTyping] = useState(false)
  return (
    <Autocomplete
      aria-label={`Label of ${of.toLowerCase()}`}
      placeholder="Label"
      data={[...usualLabels]}
      // Until the user types, all labels are offered. Then only matching ones: more would cover what is below.
      {...(!isTyping && { filter: ({ options }) => options })}
      autoComplete="off"
      {...input}
      value={labelShown(value)}
      onFocus={() => setIsTyping(false)}
      onChange={(label) => {
        setIsTyping(true)
        onChange(label)
      }}
    />
  )
}
