import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFileSession } from './file-session.ts'
import { ImportPage } from './import-page.tsx'
import { createImportStore } from './import-store.ts'

const backend = vi.hoisted(() => ({
  startImport: vi.fn(),
  sendRows: vi.fn(),
  readState: vi.fn(),
  checkImport: vi.fn(),
  commitImport: vi.fn(),
  cancelImport: vi.fn(async () => {}),
}))

vi.mock('./queries.ts', async (original) => ({
  ...(await original<typeof import('./queries.ts')>()),
  ...backend,
  usePastImports: () => ({ data: [] }),
  // The simulated page has no heights, so that no row of the list would show.
  checkedRows: {
    key: ['import rows'],
    failed: '',
    readPage: async () => ({ rows: [], next: null }),
    compare: () => () => 0,
  },
}))

const own = vi.hoisted(() => ({ readOwnFields: vi.fn() }))
vi.mock('#features/own-fields/index.ts', () => own)

vi.mock('#features/preferences/index.ts', () => ({ useTimeZone: () => 'UTC' }))

type Message = { id: number; name: 'open' | 'reread' | 'interpretRows' | 'part'; args: never[] }

/** The thread: it does at once what it is told to, and its answers come when the test lets them. */
const thread = {
  isHeld: false,
  /** Takes the place of answers. */
  answers: {} as Record<string, unknown>,
  release: [] as (() => void)[],
}

class Thread {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  session = createFileSession()
  async postMessage({ id, name, args }: Message) {
    const work = this.session[name] as (...all: never[]) => Promise<unknown>
    const answer = work(...args).then((done) => ({ answer: done }))
    if (thread.isHeld) await new Promise<void>((resolve) => thread.release.push(resolve))
    const data = { id, ...(await answer), ...(thread.answers[name] ?? {}) }
    this.onmessage?.({ data })
  }
  terminate() {}
}

/** Lets every answer come, those too that are asked for on the way. */
function letGo(): void {
  thread.isHeld = false
  for (const release of thread.release.splice(0)) release()
}

beforeEach(() => {
  vi.stubGlobal('Worker', Thread)
  // The simulated page has no fonts; a field that grows with its text asks when they have come.
  Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
  Object.assign(thread, { isHeld: false, answers: {}, release: [] })
  vi.resetAllMocks()
  backend.cancelImport.mockResolvedValue()
  backend.startImport.mockResolvedValue({ received: 0 })
  own.readOwnFields.mockResolvedValue([])
})
afterEach(cleanup)

const people = 'First Name,Note;Email\nAda,x;ada@example.com\nBob,y;bob@example.com\n'

function show(): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <MemoryRouter>
          <ImportPage />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

async function readRows(text: string): Promise<void> {
  show()
  fireEvent.click(screen.getByRole('button', { name: 'Paste rows' }))
  fireEvent.change(screen.getByLabelText('Rows with their header'), { target: { value: text } })
  fireEvent.click(screen.getByRole('button', { name: 'Read rows' }))
  await waitFor(() => expect(screen.queryByText('Reading Pasted text...')).toBeNull())
}

const field = (label: string) => screen.getByLabelText<HTMLSelectElement>(label)
const choose = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } })
const checkButton = () => screen.getByRole('button', { name: /^Check/ })

test('two columns changed before the first is answered: both count', async () => {
  await readRows('One,Two,Email\na,b,ada@example.com\n')
  thread.isHeld = true
  choose('Field of One', 'first_name')
  expect(field('Field of One').value).toBe('first_name')
  choose('Field of Two', 'last_name')
  letGo()
  await waitFor(() => expect(checkButton().ariaDisabled).toBe('false'))
  expect(field('Field of One').value).toBe('first_name')
  expect(field('Field of Two').value).toBe('last_name')
})

test('rows that are read otherwise cannot be checked before they are there, which is said', async () => {
  await readRows(people)
  thread.isHeld = true
  // It is not answered: how it is begun is all that counts here.
  backend.startImport.mockReturnValue(new Promise(() => {}))
  choose('Delimiter', ';')
  expect(field('Delimiter').value).toBe(';')
  fireEvent.click(checkButton())
  expect(await screen.findByText('Reading the rows...')).toBeTruthy()
  expect(field('Field of First Name').closest('[inert]')).toBeTruthy()
  expect(field('Delimiter').closest('[inert]')).toBeNull()
  expect(backend.startImport).not.toHaveBeenCalled()
  letGo()
  expect(await screen.findByLabelText('Field of First Name,Note')).toBeTruthy()
  expect(screen.queryByText('Reading the rows...')).toBeNull()
  fireEvent.click(checkButton())
  await waitFor(() => expect(backend.startImport).toHaveBeenCalledOnce())
  expect(backend.startImport.mock.lastCall?.[0]).toMatchObject({ total: 2 })
})

test('of several ways to read it the newest counts; of one that is refused, what was read before', async () => {
  await readRows(`sep=,\nOne,Two;Three\tx\n1,2${';'.repeat(1001)}3\t4\n`)
  expect(field('Delimiter').value).toBe(',')
  thread.isHeld = true
  choose('Delimiter', '\t')
  choose('Delimiter', ';')
  choose('Delimiter', ',')
  letGo()
  await waitFor(() => expect(checkButton().ariaDisabled).toBe('false'))
  expect(field('Delimiter').value).toBe(',')
  expect(field('Field of One')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()

  thread.isHeld = true
  choose('Delimiter', '\t')
  choose('Delimiter', ';')
  letGo()
  expect((await screen.findByRole('alert')).textContent).toMatch(/^A row has more than 1,000 cells/)
  // The thread holds these rows now.
  expect(field('Delimiter').value).toBe('\t')
  expect(field('Field of x')).toBeTruthy()
})

test.each([
  ['Delimiter', ';', 'reread'],
  ['Field of Note;Email', 'last_name', 'interpretRows'],
])('what the thread cannot do is told (%s), and stays as it was', async (label, value, name) => {
  await readRows(people)
  const before = field(label).value
  thread.answers[name] = { problem: 'RangeError: Array buffer allocation failed' }
  choose(label, value)
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Your browser couldn’t process this file\. Nothing was saved\./,
  )
  expect(field(label).value).toBe(before)
  expect(checkButton().ariaDisabled).toBe('false')
})

test.each([
  ['a file', { files: [new File([people], 'dropped.csv')], getData: () => '' }, 'dropped.csv'],
  ['text', { files: [], getData: () => people }, 'Pasted text'],
])('%s can be dropped', async (_what, dataTransfer, name) => {
  show()
  const zone = screen.getByRole('region', { name: 'Choose what to import' })
  fireEvent.drop(zone, { dataTransfer })
  expect(await screen.findByRole('heading', { name })).toBeTruthy()
})

test('a pasted text that cannot be read stays, to be mended', async () => {
  const text = 'First Name,Email\n'
  await readRows(text)
  expect((await screen.findByRole('alert')).textContent).toBe('This has a header but no rows.')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Rows with their header').value).toBe(text)
})

test('a file of companies that is imported as contacts is noticed, and the other way round', async () => {
  await readRows('Account Name,Website,Industry,Phone\nAcme,acme.com,Toys,1\n')
  expect(field('Import as').value).toBe('companies')
  expect(screen.queryByText(/^This file looks like/)).toBeNull()
  choose('Import as', 'contacts')
  expect(await screen.findByText('This file looks like companies.')).toBeTruthy()
  await waitFor(() => expect(checkButton().ariaDisabled).toBe('false'))
  fireEvent.click(screen.getByRole('button', { name: 'Import as companies' }))
  await waitFor(() => expect(checkButton().ariaDisabled).toBe('false'))
  expect(field('Import as').value).toBe('companies')
  expect(field('Field of Account Name').value).toBe('name')
  expect(screen.queryByText(/^This file looks like/)).toBeNull()
  cleanup()
  await readRows('First Name,Email\nAda,ada@example.com\n')
  choose('Import as', 'companies')
  expect(await screen.findByText('This file looks like contacts.')).toBeTruthy()
})

test('people with a value and a stage are deals, which are named after whom they are with', async () => {
  await readRows(
    'First Name,Last Name,Email,Company,Deal Value,Deal Stage\nAda,King,a@x.com,Acme,900,Demo\nBob,Ray,b@x.com,,50,Demo\n',
  )
  expect(field('Import as').value).toBe('deals')
  await screen.findByText(/^No column has the name of the deal/)
  expect(screen.queryByText(/^This file may have deals, too/)).toBeNull()
  backend.sendRows.mockReturnValue(new Promise(() => {}))
  fireEvent.click(checkButton())
  await waitFor(() => expect(backend.sendRows).toHaveBeenCalledOnce())
  expect(backend.sendRows.mock.lastCall?.[1]).toMatchObject([
    { reported: { name: 'Acme', value: 900, stage: 'Demo', contact_email: 'a@x.com' } },
    { reported: { name: 'Bob Ray', value: 50, stage: 'Demo' } },
  ])
})

test('columns are known by their cells too, also for another kind', async () => {
  await readRows('One,Two\nacme.com,ada@example.com\nzeta.com,bob@example.com\n')
  expect(field('Field of Two').value).toBe('email')
  choose('Import as', 'companies')
  await waitFor(() => expect(field('Field of One').value).toBe('website'))
  expect(field('Field of Two').value).toBe('emails')
})

test('columns by which nobody is known are told before anything is checked', async () => {
  await readRows('Colour,Size\nred,38\n')
  expect(
    screen.getByText(
      'No name, email address or phone number found. Choose a column with one of them.',
    ),
  ).toBeTruthy()
  expect(checkButton()).toHaveProperty('disabled', true)
  choose('Field of Colour', 'last_name')
  await waitFor(() => expect(checkButton()).toHaveProperty('disabled', false))
  expect(screen.queryByText(/^No name/)).toBeNull()
})

test('of 500 columns those that are imported show, and the others on demand', async () => {
  const names = Array.from({ length: 500 }, (_, place) =>
    place === 400 ? 'Email' : `Field ${place}`,
  )
  await readRows(`${names.join()}\n${names.map(() => 'a@b.c').join()}`)
  expect(screen.getByText('1 row, 500 columns, 500 matched')).toBeTruthy()
  expect(field('Field of Email').value).toBe('email')
  expect(field('Field of Field 29').value).toMatch(/^custom/)
  expect(screen.queryByLabelText('Field of Field 79')).toBeNull()
  expect(screen.getByText(/You’ve reached the limit of 100 custom fields\.$/)).toBeTruthy()
  fireEvent.click(screen.getByText('Show more of the 469 other columns'))
  expect(screen.getByLabelText('Field of Field 79')).toBeTruthy()
})

describe('columns that we have no field for', () => {
  const text = 'Email,Budget,Level\na@x.com,$40,Gold\nb@x.com,,Tin\n'
  const button = (name: string) => screen.getByRole('button', { name })
  const level = {
    ...{ id: 'level', record: 'contacts', name: 'Level', kind: 'choice', position: 1 },
    ...{ options: [{ id: '~aaaaaaa', name: 'Gold', color: 'gray' }], is_hidden: false },
  }
  const sent = async () => {
    // It is not answered: how it is begun is all that counts here.
    backend.startImport.mockReturnValue(new Promise(() => {}))
    await waitFor(() => expect(checkButton().ariaDisabled).toBe('false'))
    fireEvent.click(checkButton())
    await waitFor(() => expect(backend.startImport).toHaveBeenCalled())
    return backend.startImport.mock.calls[0]?.[0].fields
  }

  test('become fields of a kind that fits, whose names and kinds can be changed', async () => {
    await readRows(text)
    expect(screen.getByText('2 unknown columns become new fields.')).toBeTruthy()
    expect(field('Type of the new field for Budget').value).toBe('money')
    choose('Type of the new field for Level', 'choice')
    const name = field('Name of the new field for Level')
    fireEvent.change(name, { target: { value: 'budget' } })
    expect(screen.getByText('A field with this name already exists.')).toBeTruthy()
    fireEvent.change(name, { target: { value: 'Metal' } })
    fireEvent.blur(name)
    expect(await sent()).toEqual([
      { id: expect.any(String), record: 'contacts', name: 'Budget', kind: 'money', options: [] },
      {
        ...{ id: expect.any(String), record: 'contacts', name: 'Metal', kind: 'choice' },
        options: [
          expect.objectContaining({ name: 'Gold' }),
          expect.objectContaining({ name: 'Tin' }),
        ],
      },
    ])
  })

  test('are put into the notes, left out and kept again, all at once', async () => {
    await readRows(text)
    fireEvent.click(button('Add to notes'))
    expect(field('Field of Budget').value).toBe('labelled notes')
    choose('Field of Budget', 'keep')
    expect(field('Type of the new field for Budget').value).toBe('money')
    choose('Field of Level', 'keep')
    fireEvent.click(button('Don’t import'))
    expect(screen.getByText('Not imported: Budget, Level.')).toBeTruthy()
    fireEvent.click(button('Keep all 2 as fields'))
    expect(screen.queryByText(/^Left out/)).toBeNull()
    expect(await sent()).toMatchObject([{ name: 'Budget' }, { name: 'Level' }])
  })

  test('fill a field of the same name, which gets the options that it lacks', async () => {
    own.readOwnFields.mockResolvedValue([level])
    await readRows(text)
    expect(field('Field of Level').value).toBe('custom.level')
    fireEvent.click(button('Don’t import'))
    expect(await sent()).toEqual([
      {
        ...{ id: 'level', record: 'contacts', name: 'Level', kind: 'choice' },
        options: [expect.objectContaining({ name: 'Tin' })],
      },
    ])
  })

  test('are those of contacts and companies in a file of deals, where the header or the user says so', async () => {
    own.readOwnFields.mockResolvedValue([{ ...level, record: 'companies', name: 'Metal' }])
    await readRows(
      'Deal - Title,Person - Name,Person - Shoe size,Organization - Name,Organization - Metal,Size\nEngine,Ada,7,Acme,Gold,40',
    )
    expect(field('Field of Organization - Metal').value).toBe('company: custom.level')
    expect(field('Name of the new field for Person - Shoe size').value).toBe('Shoe size')
    expect(
      screen.getByText('2 unknown columns become new fields: 1 for contacts, 1 for deals.'),
    ).toBeTruthy()
    choose('Field of Size', 'company: keep')
    expect(field('Field of Size').selectedOptions[0]?.text).toBe('Company: New field')
    expect(await sent()).toMatchObject([
      { record: 'contacts', name: 'Shoe size', kind: 'number' },
      { record: 'companies', name: 'Size', kind: 'number' },
    ])
  })

  test('wait for the fields that there are: without them nothing is guessed', async () => {
    own.readOwnFields.mockRejectedValue(new Error('The fields are away.'))
    await readRows(text)
    expect(screen.getByRole('alert').textContent).toBe('The fields are away.')
  })
})

describe('the dry run', () => {
  async function check(text: string, found: Record<string, number>): Promise<void> {
    backend.startImport.mockResolvedValue({ received: 2 })
    backend.checkImport.mockResolvedValue({ new: 0, known: 0, twin: 0, error: 0, ...found })
    await readRows(text)
    fireEvent.click(checkButton())
    await screen.findByRole('region', { name: 'Dry run' })
  }
  const isChosen = (label: string) => screen.getByLabelText<HTMLInputElement>(label).checked

  test('tells of lead statuses that are not ours, and what becomes of them', async () => {
    await check('Email,Lead Status\na@x.com,Hot\nb@x.com,OPEN\n', { new: 2 })
    const told = screen.getByRole('alert')
    expect(told.textContent).toContain('“Hot” (1 row) becomes New for new contacts')
    expect(told.textContent).toContain('“OPEN” (1 row) becomes New')
  })

  test('says that an update does not change when a record was created', async () => {
    const words = 'Not imported for contacts that already exist: Created Time.'
    await check('Email,Created Time\na@x.com,2026-01-02\nb@x.com,2026-01-03\n', {
      new: 1,
      known: 1,
    })
    expect(screen.queryByText(words)).toBeNull()
    fireEvent.click(screen.getByLabelText('Update from the file'))
    expect(screen.getByText(words)).toBeTruthy()
  })

  test('says again which columns with values are left out', async () => {
    const text = 'Email,Record ID,Photo,Middle name\na@x.com,1,,\nb@x.com,2,,King\n'
    await readRows(text)
    expect(screen.getByText('Not imported: Record ID.')).toBeTruthy()
    choose('Field of Middle name', '')
    expect(await screen.findByText('Not imported: Record ID, Middle name.')).toBeTruthy()
    cleanup()
    await check(text, { new: 2 })
    expect(screen.getByText('Not imported: Record ID.')).toBeTruthy()
    cleanup()
    await check('Email,Photo\na@x.com,\nb@x.com,\n', { new: 2 })
    expect(screen.queryByText(/^Left out/)).toBeNull()
  })

  test('skips contacts that are there, and updates deals, unless told otherwise', async () => {
    await check('Email,Lead Status\na@x.com,New\nb@x.com,Qualified\n', { new: 1, known: 1 })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(isChosen('Skip')).toBe(true)
    cleanup()
    await check('Deal,Value\nA,1\nB,2\n', { new: 1, known: 1 })
    expect(screen.getByRole('radiogroup', { name: 'Existing deals' })).toBeTruthy()
    expect(isChosen('Update from the file')).toBe(true)
    expect(screen.getByRole('tab', { name: 'Update (1)' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Import 2 deals' })).toBeTruthy()
    fireEvent.click(screen.getByLabelText('Skip'))
    expect(screen.getByRole('button', { name: 'Import 1 deal' })).toBeTruthy()
  })

  test('an import whose answer got lost is asked for again, and no other one is begun', async () => {
    await check('Email,Lead Status\na@x.com,New\nb@x.com,New\n', { new: 2 })
    const summary = { added: 2, updated: 0, skipped: 0, rejected: 0 }
    backend.commitImport.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    backend.commitImport.mockResolvedValueOnce({ total: 2, received: 2, summary, batch: 'b' })
    fireEvent.click(screen.getByRole('button', { name: 'Import 2 contacts' }))
    const told = await screen.findByText(/^2 contacts added/, {}, { timeout: 10_000 })
    expect(told).toBeTruthy()
    const [[first] = [], [second] = []] = backend.commitImport.mock.calls
    expect(first).toBeTruthy()
    expect(second).toBe(first)
    expect(backend.startImport).toHaveBeenCalledOnce()
  })
})

test('the lines at the end that are no records are told, and each can be kept', async () => {
  await readRows(`First Name,Email\nAda,a@x.com\nPage 1 of 1\nGenerated on 17 Nov 2026\n`)
  expect(screen.getByRole('note').textContent).toBe(
    '2 lines at the end of the file look like a report footer and won’t be imported:',
  )
  expect(checkButton().textContent).toBe('Check 1 row')
  fireEvent.click(screen.getByRole('button', { name: 'Keep row 4' }))
  await waitFor(() => expect(checkButton().textContent).toBe('Check 2 rows'))
  expect(screen.getByText(/^1 line .* but will be imported:$/)).toBeTruthy()
  // Another choice leaves it kept.
  choose('Field of First Name', 'last_name')
  await waitFor(() => expect(checkButton().ariaDisabled).toBe('false'))
  expect(checkButton().textContent).toBe('Check 2 rows')
  fireEvent.click(screen.getByRole('button', { name: 'Leave out row 4' }))
  await waitFor(() => expect(checkButton().textContent).toBe('Check 1 row'))
  expect(screen.getByRole('button', { name: 'Keep row 4' })).toBeTruthy()
})

test('a part without rows ends the sending', async () => {
  // Without an end to the asking there would be none to the test.
  for (let times = 0; times < 3; times++) backend.sendRows.mockResolvedValueOnce(0)
  backend.sendRows.mockRejectedValue(new Error('Asked without end.'))
  await readRows(people)
  thread.answers.part = { answer: [] }
  fireEvent.click(checkButton())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The rows could not be checked: The file has fewer rows than were counted. Nothing was saved. Choose it again.',
  )
  expect(backend.sendRows).not.toHaveBeenCalled()
})

test('a part whose answer got lost is not sent twice, and the next one follows it', async () => {
  backend.sendRows.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  backend.sendRows.mockResolvedValueOnce(2500)
  backend.readState.mockResolvedValue({ received: 2000 })
  // It is not answered: what was sent is all that counts here.
  backend.checkImport.mockReturnValue(new Promise(() => {}))
  const addresses = Array.from({ length: 2500 }, (_, place) => `p${place}@example.com`)
  await readRows(`Name,Email\n${addresses.map((address) => `x,${address}`).join('\n')}\n`)
  fireEvent.click(checkButton())
  await waitFor(() => expect(backend.checkImport).toHaveBeenCalledOnce())
  expect(backend.sendRows.mock.calls.map(([, rows]) => rows.length)).toEqual([2000, 500])
})

test('rows that were read otherwise are sent anew, also under the same plan', async () => {
  const store = createImportStore()
  const opened = await store.open(people)
  if (!opened || 'problem' in opened) throw new Error('It can be read.')
  const id = store.idFor(opened)
  expect(store.idFor({ ...opened })).toBe(id)
  expect(store.idFor({ ...opened, form: { is: 'cards' } })).not.toBe(id)
  expect(backend.cancelImport).toHaveBeenCalledWith(id)
})

test('what the thread still did with a file that was put away is told to nobody', async () => {
  const store = createImportStore()
  await store.open(people)
  thread.isHeld = true
  const asked = store.ask({ read: { delimiter: ';' } })
  store.discard()
  expect(await asked).toBeNull()
  letGo()
  expect(store.isWorking()).toBe(false)
  expect(await store.open('Email\nada@example.com\n')).toMatchObject({
    interpretation: { rowCount: 1 },
  })
})

describe('deals that are closed, and the file does not say when', () => {
  const deals =
    'Deal Name,Status,Expected Close Date\nOne,Won,2026-01-02\nTwo,Lost,\nThree,Open,2026-12-31\n'
  /** The rows that were sent. */
  async function sent(): Promise<unknown[]> {
    backend.sendRows.mockReturnValue(new Promise(() => {}))
    fireEvent.click(checkButton())
    await waitFor(() => expect(backend.sendRows).toHaveBeenCalledOnce())
    return backend.sendRows.mock.lastCall?.[1].map((row: { reported: object; problem?: string }) =>
      'closes_at' in row.reported ? row.reported.closes_at : (row.problem ?? null),
    )
  }

  test('are asked about, with no answer chosen, before they can be checked', async () => {
    await readRows(deals)
    expect(screen.getByText('When were these 2 deals closed?')).toBeTruthy()
    expect(
      screen.getAllByRole('radio').filter((radio) => 'checked' in radio && radio.checked),
    ).toEqual([])
    expect(screen.getByText('Choose when these deals were closed.')).toBeTruthy()
    expect(checkButton()).toHaveProperty('disabled', true)

    fireEvent.click(screen.getByLabelText('All on one day'))
    expect(screen.getByLabelText<HTMLInputElement>('Closed on').value).toBe('')
    expect(checkButton()).toHaveProperty('disabled', true)
    fireEvent.change(screen.getByLabelText('Closed on'), { target: { value: '2200-01-01' } })
    expect(screen.getByText('Not after today')).toBeTruthy()
    expect(checkButton()).toHaveProperty('disabled', true)
    fireEvent.change(screen.getByLabelText('Closed on'), { target: { value: '2026-02-03' } })
    expect(checkButton()).toHaveProperty('disabled', false)
    expect(await sent()).toEqual(['2026-02-03T12:00:00.000Z', '2026-02-03T12:00:00.000Z', null])
  })

  test('get the date that they have, and those without one another or none', async () => {
    await readRows(deals)
    fireEvent.click(screen.getByLabelText('On their expected close date (1 of 2)'))
    expect(
      screen.getByLabelText('The other deal was closed on (leave empty to skip it)'),
    ).toBeTruthy()
    // The answer outlives another choice for a column.
    choose('Field of Status', '')
    await waitFor(() => expect(screen.queryByText(/^When were these/)).toBeNull())
    choose('Field of Status', 'status')
    await screen.findByText('When were these 2 deals closed?')
    expect(await sent()).toEqual([
      '2026-01-02T12:00:00.000Z',
      'The deal is won or lost, but the row doesn’t say when.',
      null,
    ])
  })

  test('are not asked about where the file says it', async () => {
    await readRows('Deal Name,Status,Won time\nOne,Won,2026-01-02\n')
    expect(screen.queryByText(/^When were these/)).toBeNull()
    expect(checkButton()).toHaveProperty('disabled', false)
  })
})
