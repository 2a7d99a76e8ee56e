import { ActionIcon, Autocomplete, Button, Skeleton, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { contactName } from '#domain/contact.ts'
import type { PersonInput } from '#domain/deal-contacts.ts'
import { dealRoles } from '#domain/deal-people.ts'
import { ContactSelect } from '#features/contacts/index.ts'
import { errorOf, recordInput } from '#features/fields/index.ts'
import type { Linked } from '#features/forms/index.ts'
import { newId } from '#lib/new-id.ts'
import classes from './deal-people-input.module.css'
import type { Deal } from './queries.ts'
import { useDeal } from './record/queries.ts'

type StoredPeople = NonNullable<Deal['people']>

const nobody: StoredPeople = []

/** Who is on a deal besides its main contact. Lists do not hold it, so the form of a deal reads it. */
export function useStoredPeople(deal: Deal | undefined) {
  const { record, error } = useDeal(deal?.id ?? null)
  const people = deal ? (record?.people ?? deal.people) : nobody
  return { people: people ?? nobody, isRead: people !== undefined, hasFailed: error !== null }
}

/** The people of a form as the page of the deal shows them until the backend answers. */
export function shownPeople(
  stored: StoredPeople,
  typed: { contact_id: string | null; name: string; role: string | null }[] | null,
): StoredPeople {
  return (typed ?? []).flatMap(({ contact_id, name, role }) => {
    if (contact_id === null) return []
    const known = stored.find((row) => row.contact_id === contact_id)
    return [{ contact_id, role, name: known?.name ?? asName({ id: contact_id, name }) }]
  })
}

/** The name of a contact that was just chosen, until the backend answers with its parts. */
export function asName(contact: Linked): NonNullable<Deal['contact']>
export function asName(contact: Linked | null): Deal['contact']
export function asName(contact: Linked | null): Deal['contact'] {
  return contact && { first_name: contact.name, last_name: null, email: null }
}

type DealPeopleInputProps = {
  form: {
    values: { people: PersonInput[] | null }
    errors: Record<string, ReactNode>
    setFieldValue: (name: 'people', value: PersonInput[]) => void
    setFieldError: (name: string, error: ReactNode) => void
    clearFieldError: (name: string) => void
  }
  main: Linked | null
  onChooseMain: (contact: Linked | null) => void
  /** Limits the choices of the main contact. */
  company: Linked | null
  stored: ReturnType<typeof useStoredPeople>
  onCovered: (isCovered: boolean) => void
}

/** Everyone on a deal, each with a role: the main contact first, and more on demand. */
export function DealPeopleInput({
  form,
  main,
  onChooseMain,
  company,
  stored,
  onCovered,
}: DealPeopleInputProps) {
  const people = form.values.people ?? stored.people.map(asInput)
  const [added, setAdded] = useState<{ at: number } | null>(null)
  const block = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (added === null) return
    block.current?.querySelector<HTMLElement>(`[name="people.${added.at}.contact_id"]`)?.focus()
  }, [added])

  const place = people.findIndex(({ contact_id }) => contact_id === main?.id)
  const mainPlace = main && place >= 0 ? place : null

  function change(at: number, to: Partial<PersonInput>): void {
    for (const part of Object.keys(to)) form.clearFieldError(`people.${at}.${part}`)
    form.setFieldValue(
      'people',
      people.map((person, each) => (each === at ? { ...person, ...to } : person)),
    )
  }
  function changeMainRole(role: string): void {
    if (!main) return
    if (mainPlace !== null) change(mainPlace, { role })
    else {
      const person = { key: newId(), contact_id: main.id, name: main.name, role }
      form.setFieldValue('people', [...people, person])
    }
  }
  function choose(at: number, contact: Linked | null): void {
    const isThere =
      contact !== null &&
      (contact.id === main?.id ||
        people.some((person, each) => each !== at && person.contact_id === contact.id))
    change(at, { contact_id: isThere ? null : (contact?.id ?? null), name: contact?.name ?? '' })
    if (isThere) {
      form.setFieldError(`people.${at}.contact_id`, `${contact.name} is already on this deal.`)
    }
  }
  function remove(at: number): void {
    block.current?.querySelector<HTMLElement>('[data-adds]')?.focus()
    for (const name of Object.keys(form.errors)) {
      if (name.startsWith('people.')) form.clearFieldError(name)
    }
    form.setFieldValue('people', people.toSpliced(at, 1))
  }

  let number = 1
  return (
    <div className={classes.block} ref={block}>
      <div className={classes.person}>
        <ContactSelect
          chosen={main}
          onChoose={onChooseMain}
          company={company}
          {...recordInput(form, 'contact_id', onCovered)}
        />
        {main && stored.isRead && (
          <RoleInput
            value={mainPlace === null ? '' : (people[mainPlace]?.role ?? '')}
            onChange={changeMainRole}
            error={mainPlace === null ? undefined : errorOf(form, `people.${mainPlace}.role`)}
          />
        )}
      </div>
      {people.map((person, at) => {
        if (at === mainPlace) return null
        number += 1
        const name = `people.${at}.contact_id`
        return (
          <div key={person.key} className={classes.person}>
            <ContactSelect
              label={`Contact ${number}`}
              name={name}
              chosen={
                person.contact_id === null ? null : { id: person.contact_id, name: person.name }
              }
              onChoose={(contact) => choose(at, contact)}
              {...recordInput(form, name, onCovered)}
            />
            <RoleInput
              number={number}
              name={`people.${at}.role`}
              value={person.role}
              onChange={(role) => change(at, { role })}
              error={errorOf(form, `people.${at}.role`)}
            />
            <ActionIcon
              className={classes.remove ?? ''}
              aria-label={`Remove contact ${number}`}
              title="Remove"
              onClick={() => remove(at)}
            >
              <IconX size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          </div>
        )
      })}
      {!stored.isRead &&
        (stored.hasFailed ? (
          <Text size="sm" c="dimmed">
            The other contacts could not be loaded.
          </Text>
        ) : (
          <Skeleton height={36} aria-hidden />
        ))}
      {stored.isRead && main && (
        <Button
          data-adds
          className={classes.add ?? ''}
          variant="subtle"
          color="gray"
          px={8}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => {
            setAdded({ at: people.length })
            const person = { key: newId(), contact_id: null, name: '', role: '' }
            form.setFieldValue('people', [...people, person])
          }}
        >
          Add contact
        </Button>
      )}
    </div>
  )
}

function asInput({ contact_id, role, name }: StoredPeople[number]): PersonInput {
  return { key: contact_id, contact_id, name: contactName(name), role: role ?? '' }
}

type RoleInputProps = {
  /** Of a further contact. */
  number?: number
  name?: string
  value: string
  onChange: (role: string) => void
  error: string | undefined
}

function RoleInput({ number, name = 'role', ...input }: RoleInputProps) {
  return (
    <Autocomplete
      label="Role"
      {...(number ? { 'aria-label': `Role of contact ${number}` } : {})}
      name={name}
      placeholder="Decision maker..."
      data={dealRoles}
      // All are offered, whatever was typed before.
      filter={({ options }) => options}
      dir="auto"
      autoComplete="off"
      {...input}
    />
  )
}
