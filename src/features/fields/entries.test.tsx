import { MantineProvider } from '@mantine/core'
import { useForm } from '@mantine/form'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { contactFields } from '#domain/fields/contacts.ts'
import { entriesOf, withFirsts } from '#domain/fields/entries.ts'
import { newContact } from '#domain/fields/record-forms.ts'
import type { DetailField } from '#lib/use-detail-fields.ts'
import { CellEditingContext } from '#ui/cell-editing.ts'
import {
  AddEntryButtons,
  EntriesInput,
  FieldDetails,
  FieldInput,
  FirstLabel,
  pasteEntries,
} from './index.ts'

const mail = (value: string, label = '') => ({ label, value })
const { email, emails, addresses, links } = contactFields
const fields = { email, emails, addresses, links }

afterEach(cleanup)

function show(children: ReactNode) {
  // Typed text asks before it is left, which takes a router.
  const router = createMemoryRouter([{ path: '*', element: children }])
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  )
}

/** What the form would save. */
let saved: Record<string, unknown> = {}

function Form({ start = {} }: { start?: object }) {
  const form = useForm({ initialValues: { ...newContact, ...start } })
  saved = withFirsts(contactFields, form.values)
  return (
    <form>
      <FieldInput
        name="email"
        field={email}
        form={form}
        isFirst
        asideOf={(name) => <FirstLabel fields={fields} form={form} name={name} />}
        onPasteText={(name, text) => pasteEntries(fields, form, name, text)}
      />
      <EntriesInput fields={fields} form={form} />
    </form>
  )
}

const box = (name: string) => screen.getByRole('textbox', { name })
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } })
const paste = (input: HTMLElement, text: string) =>
  fireEvent.paste(input, { clipboardData: { getData: () => text } })

test('a form has no row that nobody wanted; the first address has a place of its own', async () => {
  show(<Form />)
  expect(screen.getAllByRole('textbox')).toEqual([box('Email')])
  press('Add email')
  expect(document.activeElement).toBe(box('Email'))
  type('Email', 'a@b')
  press('Add email')
  expect(document.activeElement).toBe(box('Email 2'))
  type('Email 2', 'c@d')
  const label = screen.getByRole('combobox', { name: 'Label of email 2' })
  fireEvent.change(label, { target: { value: 'Lake house' } })
  press('Add link')
  expect(document.activeElement).toBe(box('Link 1'))
  type('Link 1', 'a.example')
  expect(saved).toMatchObject({
    email: 'a@b',
    emails: [mail('a@b'), mail('c@d', 'Lake house')],
    links: [mail('a.example')],
  })
})

test('all usual labels are offered beside the one of before, and those that fit while one types', () => {
  show(<Form start={{ email: 'a@b', emails: [mail('a@b'), mail('c@d', 'Lake house')] }} />)
  const label = screen.getByRole('combobox', { name: 'Label of email 2' })
  const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  fireEvent.focus(label)
  expect(offered()).toEqual(['Work', 'Home', 'Mobile', 'Other'])
  fireEvent.change(label, { target: { value: 'ho' } })
  expect(offered()).toEqual(['Home'])
  fireEvent.change(label, { target: { value: 'house' } })
  expect(offered()).toEqual([])
})

test('an entry is made first, with its label, and removed', () => {
  show(<Form start={{ email: 'a@b', emails: [mail('a@b', 'work'), mail('c@d', 'home')] }} />)
  press('Make email 2 first')
  expect(saved).toMatchObject({
    email: 'c@d',
    emails: [mail('c@d', 'home'), mail('a@b', 'work')],
  })
  press('Remove email 2')
  expect(saved).toMatchObject({ email: 'c@d', emails: [mail('c@d', 'home')] })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add email' }))
})

test('several addresses that are pasted become several entries, wherever they are pasted', () => {
  show(<Form start={{ emails: [mail(''), mail('z@z', 'work')] }} />)
  // Whose the address is is not lost: it is the label.
  paste(box('Email'), 'Ada <a@b>, Bob <c@d>')
  expect(saved.emails).toEqual([mail('a@b', 'Ada'), mail('c@d', 'Bob'), mail('z@z', 'work')])
  paste(box('Email 3'), 'Cleo <e@f>\ng@h')
  expect(saved.emails).toEqual([
    mail('a@b', 'Ada'),
    mail('c@d', 'Bob'),
    mail('e@f', 'work'),
    mail('g@h'),
  ])
})

test('the first address has a label, too, as soon as it is there', () => {
  show(<Form />)
  const label = () => screen.queryByRole('combobox', { name: 'Label of email' })
  expect(label()).toBeNull()
  const stops = () => document.querySelectorAll('input:not([tabindex="-1"]), button').length
  const before = stops()
  type('Email', 'a@b')
  // The next Tab leads where it would have led before.
  expect(stops()).toBe(before)
  fireEvent.change(label() ?? document.body, { target: { value: 'Desk' } })
  expect(saved).toMatchObject({ email: 'a@b', emails: [mail('a@b', 'Desk')] })
})

type Put = DetailField['put']

function Details({ start, put }: { start: object; put?: Put }) {
  const [record, setRecord] = useState<Record<string, unknown>>({ ...start })
  const [adding, setAdding] = useState<string | null>(null)
  saved = record
  const write: Put = async (change) => {
    const list = change(record.emails)
    setRecord({ ...record, emails: list })
    return null
  }
  return (
    <>
      <FieldDetails
        fields={fields}
        record={record}
        field={(name) => ({
          value: String(record[name] ?? ''),
          check: () => null,
          save: async () => null,
          put: name === 'emails' ? (put ?? write) : async () => null,
          choose: () => {},
        })}
        onTakeTheirs={() => {}}
        adding={adding}
        onAdded={() => setAdding(null)}
      />
      <AddEntryButtons fields={fields} record={record} adding={adding} onAdd={setAdding} />
    </>
  )
}

const two = { email: 'a@b', emails: [mail('a@b'), mail('c@d', 'home')] }
const group = (name: string) => screen.queryByRole('group', { name })

test('details: Enter saves, Escape restores, and the focus is where it was', async () => {
  show(<Details start={two} />)
  expect(screen.getByText('Email (Home)')).toBeTruthy()
  const edit = () => screen.getByRole('button', { name: 'Edit Email 2' })
  fireEvent.click(edit())
  type('Email 2', 'x@y')
  fireEvent.keyDown(box('Email 2'), { key: 'Escape' })
  expect(group('Edit email')).toBeNull()
  expect(saved.emails).toEqual(two.emails)
  expect(document.activeElement).toBe(edit())
  fireEvent.click(edit())
  type('Email 2', 'x@y')
  fireEvent.keyDown(box('Email 2'), { key: 'Enter' })
  await waitFor(() => expect(group('Edit email')).toBeNull())
  expect(saved.emails).toEqual([mail('a@b'), mail('x@y', 'home')])
  expect(document.activeElement).toBe(edit())
})

test('details: an entry is added, made first and removed; what is wrong says so', async () => {
  show(<Details start={two} />)
  press('Add email')
  type('Email 3', 'A@b')
  fireEvent.keyDown(box('Email 3'), { key: 'Enter' })
  expect(screen.getByText('Already added.')).toBeTruthy()
  type('Email 3', 'nobody')
  press('Save')
  expect(screen.getByText(/Enter a valid email address/)).toBeTruthy()
  paste(box('Email 3'), 'e@f, g@h')
  fireEvent.keyDown(box('Email 3'), { key: 'Enter' })
  await waitFor(() => expect(group('Add email')).toBeNull())
  expect(saved.emails).toEqual([...two.emails, mail('e@f'), mail('g@h')])
  press('Edit Email 4')
  press('Make first')
  await waitFor(() => expect(group('Edit email')).toBeNull())
  expect(entriesOf(saved.emails)[0]).toEqual(mail('g@h'))
  press('Edit Email 4')
  press('Remove')
  await waitFor(() => expect(group('Edit email')).toBeNull())
  expect(saved.emails).toEqual([mail('g@h'), ...two.emails])
})

test('details: the first has its row before it is there, and its label; several are pasted into it', async () => {
  show(<Details start={{ email: null, emails: [], first_name: 'Ada' }} />)
  press(/^Edit Email:/)
  paste(box('Email'), 'Ada <a@b>, Bob <c@d>')
  expect(screen.getByText('And c@d (Bob)')).toBeTruthy()
  const label = screen.getByRole('combobox', { name: 'Label of email' })
  fireEvent.change(label, { target: { value: 'Work' } })
  fireEvent.keyDown(box('Email'), { key: 'Enter' })
  await waitFor(() => expect(group('Add email')).toBeNull())
  expect(saved.emails).toEqual([mail('a@b', 'work'), mail('c@d', 'Bob')])
  expect(screen.getByText('Email (Work)')).toBeTruthy()
  press('Edit Email')
  fireEvent.change(screen.getByRole('combobox', { name: 'Label of email' }), {
    target: { value: '' },
  })
  press('Save')
  await waitFor(() => expect(group('Edit email')).toBeNull())
  expect(saved.emails).toEqual([mail('a@b'), mail('c@d', 'Bob')])
})

test('details: while a save is under way, what was typed stays and is saved once', async () => {
  let answer: (conflict: null) => void = () => {}
  const put = vi.fn<Put>(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  show(<Details start={two} put={put} />)
  press('Edit Email')
  type('Email', 'x@y')
  fireEvent.keyDown(box('Email'), { key: 'Enter' })
  fireEvent.keyDown(box('Email'), { key: 'Enter' })
  fireEvent.blur(box('Email'), { relatedTarget: document.body })
  expect(box('Email')).toHaveProperty('value', 'x@y')
  expect(box('Email')).toHaveProperty('readOnly', true)
  expect(put).toHaveBeenCalledOnce()
  answer(null)
  await waitFor(() => expect(group('Edit email')).toBeNull())
})

test('details: leaving saves; nothing typed is lost when that fails or another window was first', async () => {
  const put = vi
    .fn<Put>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce({ theirs: [] })
  show(<Details start={two} put={put} />)
  press('Edit Email 2')
  type('Email 2', 'x@y')
  fireEvent.blur(box('Email 2'), { relatedTarget: document.body })
  expect((await screen.findByRole('alert')).textContent).toBe('Not saved.')
  press('Save')
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('Changed in another window'),
  )
  const editor = screen.getByRole('group', { name: 'Edit email' })
  expect(within(editor).getByDisplayValue('x@y')).toBeTruthy()
  // The next try is made of the list that the other window left.
  const theirs = [mail('a@b'), mail('other@b'), mail('c@d', 'home')]
  expect(put.mock.calls.at(-1)?.[0](theirs)).toEqual([
    mail('a@b'),
    mail('other@b'),
    mail('x@y', 'home'),
  ])
})

test('in a cell the first entry is typed in one line; its label and the others stay', async () => {
  const onSettled = vi.fn()
  const put = vi
    .fn<Put>()
    .mockResolvedValueOnce({ theirs: [mail('other@b')] })
    .mockResolvedValue(null)
  show(
    <CellEditingContext value={{ home: () => null, onSettled }}>
      <FieldDetails
        fields={{ emails }}
        record={{ emails: [mail('a@b', 'work'), mail('c@d')] }}
        field={() => ({
          value: '',
          check: () => null,
          save: async () => null,
          put,
          choose: () => {},
        })}
        onTakeTheirs={() => {}}
      />
    </CellEditingContext>,
  )
  expect(box('Email')).toHaveProperty('value', 'a@b')
  type('Email', 'nobody')
  fireEvent.keyDown(box('Email'), { key: 'Enter' })
  expect(screen.getByText(/Enter a valid email address/)).toBeTruthy()
  type('Email', 'x@y ')
  fireEvent.keyDown(box('Email'), { key: 'Enter' })
  await screen.findByText('“other@b”')
  press('Overwrite with mine')
  await waitFor(() => expect(onSettled).toHaveBeenCalledOnce())
  const change = put.mock.calls.at(-1)?.[0]
  expect(change?.([mail('other@b', 'work'), mail('c@d')])).toEqual([
    mail('x@y', 'work'),
    mail('c@d'),
  ])
})
