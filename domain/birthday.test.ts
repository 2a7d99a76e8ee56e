import { expect, onTestFinished, test } from 'vitest'
import {
  birthdayIn,
  birthdayInFile,
  daysBeforeIn,
  shownBirthday,
  shownDaysBefore,
  usualDaysBefore,
} from './birthday.ts'
import { changeWords } from './change-words.ts'
import { csvRow, readCell } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import { contactFields, contactOrder } from './fields/contacts.ts'
import { inputOf } from './fields/form.ts'
import { dateFormats, setHabits, usualHabits } from './habits.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

test.each([
  ['3 May', '--05-03'],
  ['May 3', '--05-03'],
  ['may 3rd', '--05-03'],
  ['3rd of May 1990', '1990-05-03'],
  ['May 3, 1990', '1990-05-03'],
  ['3. Mai 1990', '1990-05-03'],
  ['3 de mayo de 1990', '1990-05-03'],
  ['3-May-90', '1990-05-03'],
  ['3.5.1990', '1990-05-03'],
  ['3.5.', '--05-03'],
  ['05/03/1990', '1990-05-03'],
  ['5/3', '--05-03'],
  ['25/12/1990', '1990-12-25'],
  ['3.5.90', '1990-05-03'],
  ['3.5.05', '2005-05-03'],
  ['1990-05-03', '1990-05-03'],
  ['1990-05-03T00:00:00Z', '1990-05-03'],
  ['5/3/1990 12:00:00 AM', '1990-05-03'],
  ['19900503', '1990-05-03'],
  ['--05-03', '--05-03'],
  ['--0503', '--05-03'],
  ['1604-05-03', '--05-03'],
  ['1990年5月3日', '1990-05-03'],
  ['5月3日', '--05-03'],
  ['29 February', '--02-29'],
  ['29.2.2000', '2000-02-29'],
])('%s is the birthday %s', (text, birthday) => {
  expect(birthdayIn(text)).toBe(birthday)
})

test.each(['', 'soon', '30 February', '29.2.1990', '13/13', '5', '1990', 'Mai', '31.4.'])(
  '%j is no birthday',
  (text) => {
    expect(birthdayIn(text)).toBeNull()
  },
)

test('the order of a file decides where the numbers do not', () => {
  expect(birthdayIn('05/03/1990', 'day first')).toBe('1990-03-05')
  expect(birthdayIn('5.3.', 'month first')).toBe('--05-03')
})

test.each([
  ['--05-03', '2026-11-17', 'May 3'],
  ['--02-29', '2026-11-17', 'Feb 29'],
  ['1990-05-03', '2026-05-02', 'May 3, 1990 (35)'],
  ['1990-05-03', '2026-05-03', 'May 3, 1990 (36)'],
  ['2027-05-03', '2026-05-03', 'May 3, 2027'],
])('%s is shown on %s as %s', (birthday, today, shown) => {
  expect(shownBirthday(birthday, today)).toBe(shown)
})

test('what the form shows of it is read as the same', () => {
  const field = contactFields.birthday
  for (const birthday of ['--02-29', '1990-05-03', '--12-31']) {
    const input = inputOf(field, birthday)
    expect(checkOf(field).parse(input)).toBe(birthday)
  }
  expect(checkOf(field).parse(' ')).toBeNull()
  expect(checkOf(field).safeParse('soon').error?.issues[0]?.message).toBe(
    'Birthday must be a day, such as May 3 or May 3, 1990.',
  )
  expect(checkOf(field).safeParse('3.5.2300').success).toBe(false)
})

test('days before are typed as they are shown, or as a number', () => {
  const field = contactFields.birthday_reminder
  for (const days of [...usualDaysBefore, 2, 90]) {
    expect(checkOf(field).parse(shownDaysBefore(days))).toBe(days)
    expect(checkOf(field).parse(String(days))).toBe(days)
  }
  expect(daysBeforeIn('2 weeks')).toBe(14)
  expect(checkOf(field).parse('')).toBeNull()
  for (const typed of ['91', 'often', '-1', '1.5']) {
    expect(checkOf(field).safeParse(typed).error?.issues[0]?.message).toBe(
      'Birthday Reminder must be a number of days from 0 to 90.',
    )
  }
})

test('contacts are sorted by month and day, those without one last', () => {
  const people = ['1990-12-01', null, '--01-31', '1940-05-03'].map((birthday, place) => ({
    id: String(place),
    first_name: null,
    last_name: null,
    next_task: null,
    birthday,
  }))
  const sorted = (descending: boolean) =>
    people.toSorted(contactOrder('birthday', descending)).map(({ birthday }) => birthday)
  expect(sorted(false)).toEqual(['--01-31', '1940-05-03', '1990-12-01', null])
  expect(sorted(true)).toEqual(['1990-12-01', '1940-05-03', '--01-31', null])
})

test('a file brings back what was written into it, and a cell that is none is told', () => {
  const plan = planImport('contacts', ['first_name', 'birthday', 'birthday_reminder'], [])
  for (const birthday of ['--05-03', '1990-05-03']) {
    const cells = csvRow(contactFields, ['birthday', 'birthday_reminder'], {
      birthday,
      birthday_reminder: 0,
    })
    const row = ['Ada', ...cells]
    expect(importRow(row, plan)).toEqual({
      values: { first_name: 'Ada', birthday, birthday_reminder: 0 },
    })
  }
  expect(
    readCell(contactFields.birthday, 'soon', {
      dayOrder: 'day first',
      isOwn: false,
      timeZone: 'UTC',
    }),
  ).toEqual({
    problem: 'Birthday: "soon" isn’t a valid birthday.',
  })
  const german = [['Ada', '13.01.1990', '']]
  const read = planImport('contacts', ['first_name', 'birthday', null], german)
  expect(importRow(['Bob', '05/03/1990', ''], read)).toMatchObject({
    values: { birthday: '1990-03-05' },
  })
})

test('the history tells it as it is shown', () => {
  const change = {
    table_name: 'contacts',
    row_id: 'x',
    verb: 'update' as const,
    label: 'Ada',
    before: { birthday: null, birthday_reminder: 3 },
    after: { birthday: '1990-05-03', birthday_reminder: 0 },
    undoes: null,
    names: null,
  }
  const page = { table: 'contacts', id: 'x' }
  expect(changeWords(change, { timeZone: 'UTC', page })).toEqual([
    'Birthday set to May 3, 1990',
    'Birthday reminder changed from 3 days before to On the day',
  ])
})

test.each(dateFormats)('as %s, what is shown is read again, and files stay the same', (format) => {
  setHabits({ ...usualHabits, date_format: format })
  onTestFinished(() => setHabits(usualHabits))
  for (const birthday of [
    '1990-05-03',
    '1990-11-12',
    '1988-12-31',
    '--05-03',
    '--12-11',
    '--02-29',
  ]) {
    expect(birthdayIn(shownBirthday(birthday))).toBe(birthday)
    expect(birthdayIn(birthdayInFile(birthday), 'month first')).toBe(birthday)
  }
  expect(birthdayInFile('--05-03')).toBe('May 3')
})
