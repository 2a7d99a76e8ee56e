import { Autocomplete, TextInput } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useEffect, useRef } from 'react'
import {
  type AddressPart,
  type AnyEntry,
  addressParts,
  entryNouns,
  isPostal,
  type ListKind,
  labelShown,
  usualLabels,
} from '#domain/fields/entries.ts'
import { pastedValues } from '#domain/fields/pasted-entries.ts'
import classes from './entry-fields.module.css'

type EntryFieldsProps = {
  kind: ListKind
  /** Its place in the list, as people count. */
  number: number
  entry: AnyEntry
  /** The path of the entry in a form: the name of each input begins with it. */
  name?: string
  errorOf: (part: string) => ReactNode
  onChange: (entry: AnyEntry, part: string) => void
  /** Several values were pasted: the first is for this entry. */
  onPasteMany: (values: string[]) => void
  /** Takes the focus when it appears. */
  isNew: boolean
  isNarrow?: boolean
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
  number,
  entry,
  name = '',
  errorOf,
  onChange,
  onPasteMany,
  isNew,
  isNarrow = false,
  children,
}: EntryFieldsProps) {
  const first = useRef<HTMLInputElement>(null)
  const shouldFocus = useRef(isNew)
  useEffect(() => {
    if (shouldFocus.current) first.current?.focus()
    shouldFocus.current = false
  }, [])
  const called = `${entryNouns[kind]} ${number}`
  const common = (part: string) => ({
    ...(name ? { name: `${name}.${part}` } : {}),
    error: errorOf(part),
    autoComplete: 'off',
  })
  function paste(event: ClipboardEvent): void {
    const values = pastedValues(kind, event.clipboardData.getData('text'))
    if (values.length === 0) return
    event.preventDefault()
    onPasteMany(values)
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
      <Autocomplete
        aria-label={`Label of ${called.toLowerCase()}`}
        placeholder="Label"
        data={[...usualLabels]}
        // All are offered, whatever was typed before.
        filter={({ options }) => options}
        {...common('label')}
        value={labelShown(entry.label)}
        onChange={(label) => onChange({ ...entry, label }, 'label')}
      />
      {children}
    </div>
  )
}
