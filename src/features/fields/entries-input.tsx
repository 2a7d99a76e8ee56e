import { ActionIcon, Button } from '@mantine/core'
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import {
  type AnyEntry,
  blankEntry,
  type Entry,
  entriesOf,
  entryNouns,
  firstOf,
  type ListKind,
  listsOf,
  mostEntries,
} from '#domain/fields/entries.ts'
import { type Fields, labelOf, valueAt } from '#domain/fields/field.ts'
import { pastedEntries } from '#domain/fields/pasted-entries.ts'
import classes from './entry-fields.module.css'
import { EntryFields, LabelInput } from './entry-fields.tsx'
import { nameOf } from './name-of.ts'

/** What is used of the form of a record. */
type EntriesForm = {
  values: object
  errors: Record<string, ReactNode>
  setFieldValue: (name: never, value: never) => void
  clearFieldError: (name: string) => void
}

/** Changes the lists of a form, whose first entries are typed into fields of their own. */
function listForm(fields: Fields, form: EntriesForm) {
  // The form's own type knows its names and types; here they come from the field definitions, at run time.
  const set = form.setFieldValue as (name: string, value: unknown) => void
  const forget = (path: string) => {
    for (const name of Object.keys(form.errors)) {
      if (name.startsWith(path)) form.clearFieldError(name)
    }
  }
  const entriesIn = (list: string) => entriesOf(valueAt(form.values, list))
  const firstIn = (list: string) => {
    const first = firstOf(fields, list)
    return first ? { first, typed: String(valueAt(form.values, first) ?? '') } : null
  }
  /** The entries of a list. Where a field of its own holds the first, place 0 exists even in an empty list. */
  function placesIn(list: string): AnyEntry[] {
    const entries = entriesIn(list)
    return firstIn(list) && entries.length === 0 ? [{ label: '', value: '' }] : entries
  }
  return {
    placesIn,
    firstIn,
    change(list: string, place: number, entry: AnyEntry, part: string): void {
      forget(`${list}.${place}.${part}`)
      set(list, placesIn(list).with(place, entry))
    },
    add(list: string, entries: AnyEntry[]): void {
      set(list, [...placesIn(list), ...entries])
    },
    remove(list: string, place: number): void {
      forget(`${list}.`)
      set(list, placesIn(list).toSpliced(place, 1))
    },
    makeFirst(list: string, place: number): void {
      const all = placesIn(list)
      const [own, entry] = [firstIn(list), all[place]]
      if (!entry || !own || !('value' in entry)) return
      const { first, typed } = own
      const before = typed.trim() === '' ? [] : [{ label: all[0]?.label ?? '', value: typed }]
      forget(`${list}.`)
      form.clearFieldError(first)
      set(first, entry.value)
      set(list, [entry, ...before, ...all.slice(1).filter((each) => each !== entry)])
    },
    /** Several values that were pasted into one place; -1 is the field of the first. */
    paste(list: string, place: number, [head, ...others]: Entry[]): void {
      const all = placesIn(list)
      const own = firstIn(list)
      const at = Math.max(place, 0)
      const entry = all[at]
      if (!head || !entry || !('value' in entry)) return
      if (place < 0 && own) set(own.first, head.value)
      const value = place < 0 ? entry.value : head.value
      const changed = all.with(at, { label: entry.label || head.label, value })
      set(list, changed.toSpliced(at + 1, 0, ...others))
    },
  }
}

type EntriesInputProps = { fields: Fields; form: EntriesForm }

/** The further addresses, numbers and links of a form. Their rows appear when they are wanted. */
export function EntriesInput({ fields, form }: EntriesInputProps) {
  const lists = listForm(fields, form)
  const [added, setAdded] = useState<{ list: string; place: number } | null>(null)
  const block = useRef<HTMLDivElement>(null)
  const buttonOf = (list: string) =>
    block.current?.querySelector<HTMLElement>(`[data-adds="${list}"]`)

  function add(list: string, kind: ListKind): void {
    const own = lists.firstIn(list)
    if (own?.typed.trim() === '') {
      // Its first place is still free.
      const input = block.current
        ?.closest('form')
        ?.querySelector<HTMLElement>(`[name="${own.first}"]`)
      input?.focus()
      return
    }
    setAdded({ list, place: lists.placesIn(list).length })
    lists.add(list, [blankEntry(kind)])
  }

  return (
    <div className={classes.block} ref={block}>
      {listsOf(fields).map(([list, { kind }]) =>
        lists.placesIn(list).flatMap((entry, place) => {
          const own = lists.firstIn(list)
          if (own && place === 0) return []
          const noun = entryNouns[kind].toLowerCase()
          return [
            <EntryFields
              // A place is all that tells entries apart while they are typed.
              key={`${list}.${String(place)}`}
              kind={kind}
              called={`${entryNouns[kind]} ${place + 1}`}
              entry={entry}
              name={`${list}.${place}`}
              errorOf={(part) => form.errors[`${list}.${place}.${part}`]}
              onChange={(changed, part) => lists.change(list, place, changed, part)}
              owner={nameOf(form.values)}
              onPasteMany={(pasted) => lists.paste(list, place, pasted)}
              isNew={added?.list === list && added.place === place}
            >
              <div className={classes.actions}>
                {own && (
                  <ActionIcon
                    aria-label={`Make ${noun} ${place + 1} first`}
                    title="Make first"
                    onClick={() => lists.makeFirst(list, place)}
                  >
                    <IconArrowUp size={16} stroke={1.5} aria-hidden />
                  </ActionIcon>
                )}
                <ActionIcon
                  aria-label={`Remove ${noun} ${place + 1}`}
                  title="Remove"
                  onClick={() => {
                    buttonOf(list)?.focus()
                    lists.remove(list, place)
                  }}
                >
                  <IconX size={16} stroke={1.5} aria-hidden />
                </ActionIcon>
              </div>
            </EntryFields>,
          ]
        }),
      )}
      <div className={classes.buttons}>
        {listsOf(fields).map(([list, { kind }]) => (
          <Button
            key={list}
            data-adds={list}
            variant="subtle"
            color="gray"
            px={8}
            leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
            disabled={lists.placesIn(list).length >= mostEntries}
            onClick={() => add(list, kind)}
          >
            {`Add ${entryNouns[kind].toLowerCase()}`}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** For `onPaste` of the field that holds the first of a list: the others become entries. */
export function pasteEntries(
  fields: Fields,
  form: EntriesForm,
  name: string,
  text: string,
  owner = nameOf(form.values),
): boolean {
  const list = fields[name]?.firstOf
  const kind = listsOf(fields).find(([each]) => each === list)?.[1].kind
  const entries = kind ? pastedEntries(kind, text, owner) : []
  if (!list || entries.length === 0) return false
  listForm(fields, form).paste(list, -1, entries)
  return true
}

type FirstLabelProps = { fields: Fields; form: EntriesForm; name: string }

/** For the end of the field that holds the first of a list: its label, once there is something to be labelled. */
export function FirstLabel({ fields, form, name }: FirstLabelProps) {
  const field = fields[name]
  const list = field?.firstOf
  if (!field || !list) return null
  const lists = listForm(fields, form)
  const [entry = { label: '', value: '' }] = lists.placesIn(list)
  return (
    <LabelInput
      of={labelOf(field, 'form')}
      name={`${list}.0.label`}
      // It appears while the field is typed into: the next Tab is meant for the field that follows.
      tabIndex={-1}
      variant="unstyled"
      className={classes.firstLabel ?? ''}
      classNames={{ input: classes.bare ?? '' }}
      error={Boolean(form.errors[`${list}.0.label`])}
      value={entry.label}
      onChange={(label) => lists.change(list, 0, { ...entry, label }, 'label')}
    />
  )
}
