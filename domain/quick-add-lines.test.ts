import { afterEach, describe, expect, test } from 'vitest'
import { setHabits, usualHabits } from './habits.ts'
import { isPlan, readingsOf } from './quick-add.ts'
import type { QuickAdd } from './quick-add-records.ts'
import { told } from './told-quick-add.ts'

// A Sunday, eleven in the morning.
const clock = { now: Date.parse('2026-11-15T10:00:00Z'), timeZone: 'Europe/Berlin', weekStart: 1 }

/** Who is there already. The database knows them by their whole name, or by one of their names. */
const contacts = ['maria keller', 'tom ford', 'anna schmidt']
const companies = ['acme', 'globex', 'newco']

/** The first reading whose guess is there, as the database chooses it. */
function understood(line: string): QuickAdd {
  const readings = readingsOf(line, clock)
  const fits = readings.find(({ read: { contact, company }, needs }) => {
    if (needs === 'contact') {
      const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(' ').toLowerCase()
      return contacts.some((known) => known === name || known.split(' ').includes(name))
    }
    return needs === 'company' ? companies.includes(company?.name.toLowerCase() ?? '') : true
  })
  if (!fits) throw new Error('The last reading needs nothing.')
  return fits.read
}

afterEach(() => setHabits(usualHabits))

describe('known people and companies, however they are written', () => {
  test.each([
    ['call maria keller tomorrow', 'contact Maria Keller; task Call Maria Keller, 2026-11-16'],
    ['call maria tomorrow', 'contact Maria; task Call Maria, 2026-11-16'],
    ['call keller', 'contact Keller; task Call Keller'],
    ['email tom ford about pricing', 'contact Tom Ford; task Email Tom Ford about pricing'],
    [
      'lunch with maria keller fri noon',
      'contact Maria Keller; task Lunch with Maria Keller, 2026-11-20 12:00',
    ],
    ['send offer to tom ford friday', 'contact Tom Ford; task Send offer to Tom Ford, 2026-11-20'],
    ['call back tom ford', 'contact Tom Ford; task Call back Tom Ford'],
    ['follow up tom next week', 'contact Tom; task Follow up Tom, 2026-11-16'],
    ['maria keller 5k renewal', 'contact Maria Keller; deal Renewal 5000'],
    ['renewal maria keller 5k', 'contact Maria Keller; deal Renewal 5000'],
    ['call acme tomorrow', 'company Acme; task Call Acme, 2026-11-16'],
    ['call Globex tomorrow', 'company Globex; task Call Globex, 2026-11-16'],
    ['demo for globex friday', 'company Globex; task Demo for Globex, 2026-11-20'],
    ['Renewal for Acme 5k', 'company Acme; deal Renewal 5000'],
    ['call mom tonight', 'task Call mom, 2026-11-15 22:00'],
    ['call bob miller tomorrow', 'task Call bob miller, 2026-11-16'],
    ['buy milk', 'task Buy milk'],
    [
      'task call maria keller tomorrow 9:00',
      'contact Maria Keller; task Call Maria Keller, 2026-11-16 09:00',
    ],
  ])('%j asks for %j', (line, expected) => {
    expect(told(understood(line))).toBe(expected)
  })
})

describe('new people and companies', () => {
  test.each([
    ['new contact Tom Ford tom@ford.example', 'contact Tom Ford tom@ford.example'],
    ['new contact tom ford tom@ford.example', 'contact Tom Ford tom@ford.example'],
    [
      'add contact Lena Maier @Acme +49 170 1234567 #vip',
      'contact Lena Maier +49 170 1234567; company Acme; tags vip',
    ],
    ['contact: Lena Maier 030 1234567', 'contact Lena Maier 030 1234567'],
    ['new lead Lena Maier (555) 123-4567', 'contact Lena Maier (555) 123-4567'],
    ['new contact Lena Maier 555-123-4567', 'contact Lena Maier 555-123-4567'],
    ['new contact Lena Maier, met at the fair', 'contact Lena Maier; ? met at the fair'],
    [
      'Lena Maier lena@acme.example #vip #fair',
      'contact Lena Maier lena@acme.example; tags vip fair',
    ],
    ['new contact lena maier @newco', 'contact Lena Maier; company newco'],
    ['new company Initech', 'company Initech'],
    ['add company blue sky #partner', 'company blue sky; tags partner'],
  ])('%j asks for %j', (line, expected) => {
    expect(told(understood(line))).toBe(expected)
  })
})

describe('deals and amounts', () => {
  test.each([
    [
      'deal Website relaunch $12,000 Maria Keller @NewCo',
      'contact Maria Keller; company NewCo; deal Website relaunch 12000',
    ],
    [
      'deal website relaunch 12k maria keller @newco',
      'contact Maria Keller; company newco; deal Website relaunch 12000',
    ],
    ['new deal Website relaunch @Acme €5k', 'company Acme; deal Website relaunch 5000 EUR'],
    ['deal Support plan', 'deal Support plan'],
    ['deal Support plan with Anna Schmidt 800 USD', 'contact Anna Schmidt; deal Support plan 800'],
    ['deal Relaunch 12k #q4 @Globex', 'company Globex; deal Relaunch 12000; tags q4'],
    [
      'opportunity Relaunch $9k @Globex closing Dec 20',
      'company Globex; deal Relaunch 9000 closing 2026-12-20',
    ],
    ['deal $5k @Acme', 'company Acme; deal Deal with Acme 5000'],
    ['€5k', 'deal New deal 5000 EUR'],
    ['deal Relaunch KWD 12.500', 'deal Relaunch 12.5 KWD'],
    ['5k', 'deal New deal 5000'],
    ['renewal @Acme 5k', 'company Acme; deal Renewal 5000'],
    ['audit @Acme 1.5k', 'company Acme; deal Audit 1500'],
    ['renewal @Acme 5000 EUR', 'company Acme; deal Renewal 5000 EUR'],
    ['renewal @Acme CHF 3’000', 'company Acme; deal Renewal 3000 CHF'],
    ['renewal @Acme £2,500.50', 'company Acme; deal Renewal 2500.5 GBP'],
    ['renewal @Acme 12.000 €', 'company Acme; deal Renewal 12000 EUR'],
    ['renewal @Acme 900 usd', 'company Acme; deal Renewal 900'],
    ['run 5km with Anna saturday', 'contact Anna; task Run 5km with Anna, 2026-11-21'],
  ])('%j asks for %j', (line, expected) => {
    expect(told(understood(line))).toBe(expected)
  })
})

describe('tasks with days and times', () => {
  test.each([
    ['call Anna every friday', 'contact Anna; task Call Anna, 2026-11-20, weekly 5'],
    ['team review every monday 9am', 'task Team review, 2026-11-16 09:00, weekly 1'],
    ['standup every weekday 9:30', 'task Standup, 2026-11-16 09:30, weekly 12345'],
    ['backup every day', 'task Backup, 2026-11-15, daily'],
    ['pay rent every month', 'task Pay rent, 2026-11-15, monthly'],
    ['renew domain every year Dec 1', 'task Renew domain, 2026-12-01, yearly'],
    [
      'check in with Anna every 2 weeks',
      'contact Anna; task Check in with Anna, 2026-11-15, after 14',
    ],
    ['call Anna every 3 months', 'contact Anna; task Call Anna, 2026-11-15, after 91'],
    ['review prices every quarter', 'task Review prices, 2026-11-15, after 91'],
    ['renew contract every 2 years', 'task Renew contract, 2026-11-15, after 730'],
    ['call Anna 20.11.', 'contact Anna; task Call Anna, 2026-11-20'],
    ['call Anna 20.11. 14:30', 'contact Anna; task Call Anna, 2026-11-20 14:30'],
    ['call Anna am 3.1.2027', 'contact Anna; task Call Anna am, 2027-01-03'],
    ['call Anna in 2 weeks', 'contact Anna; task Call Anna, 2026-11-29'],
    ['call Anna tomorrow 3pm', 'contact Anna; task Call Anna, 2026-11-16 15:00'],
    ['call Anna tomorrow at 3', 'contact Anna; task Call Anna, 2026-11-16 15:00'],
    ['call Anna fri', 'contact Anna; task Call Anna, 2026-11-20'],
    ['call Anna next monday', 'contact Anna; task Call Anna, 2026-11-16'],
    ['send offer eod', 'task Send offer, 2026-11-15'],
    ['send offer by EOW', 'task Send offer, 2026-11-20'],
    ['send invoice eom', 'task Send invoice, 2026-11-30'],
    ['call Anna tmrw', 'contact Anna; task Call Anna, 2026-11-16'],
    ['call Anna tommorow 3pm', 'contact Anna; task Call Anna, 2026-11-16 15:00'],
    ['call Anna wendesday', 'contact Anna; task Call Anna, 2026-11-18'],
    ['clal Anna tomorrow', 'contact Anna; task Call Anna, 2026-11-16'],
    ['metting with Anna tomorrow', 'contact Anna; task Meeting with Anna, 2026-11-16'],
    ['call Anna !hgih', 'contact Anna; task Call Anna, high'],
    ['call Anna !whenever', 'contact Anna; task Call Anna; ? !whenever'],
    [
      'remind me to call Anna Schmidt friday',
      'contact Anna Schmidt; task Call Anna Schmidt, 2026-11-20',
    ],
    ['remind me tomorrow to call Anna', 'contact Anna; task Call Anna, 2026-11-16'],
    [
      'contact Anna Schmidt tomorrow',
      'contact Anna Schmidt; task Contact Anna Schmidt, 2026-11-16',
    ],
    [
      'meeting @Acme thursday 14:00 Lena Maier',
      'contact Lena Maier; company Acme; task Meeting Lena Maier, 2026-11-19 14:00',
    ],
    ['call Anna about 24/7 support', 'contact Anna; task Call Anna about 24/7 support'],
    ['reminder: send invoice tomorrow', 'task Send invoice, 2026-11-16'],
    ['new task renew passport Mar 3', 'task Renew passport, 2027-03-03'],
    ['call Anna #vip tomorrow', 'contact Anna; task Call Anna, 2026-11-16; tags vip'],
    ['buy milk #home', 'task Buy milk; ? #home'],
    ['call Anna 3/12', 'contact Anna; task Call Anna, 2027-03-12'],
  ])('%j asks for %j', (line, expected) => {
    expect(told(understood(line))).toBe(expected)
  })
})

describe('what was said and done', () => {
  test.each([
    ['note maria keller: prefers mornings', 'contact Maria Keller; note "Prefers mornings"'],
    ['note Anna Schmidt prefers mornings', 'contact Anna Schmidt; note "Prefers mornings"'],
    ['note @Acme: new office in Berlin', 'company Acme; note "New office in Berlin"'],
    [
      'called Maria Keller: wants the offer by friday',
      'contact Maria Keller; call "Wants the offer by friday"',
    ],
    ['called tom ford', 'contact Tom Ford; call'],
    ['log call with Anna Schmidt: left voicemail', 'contact Anna Schmidt; call "Left voicemail"'],
    ['spoke to Anna Schmidt about pricing', 'contact Anna Schmidt; call "About pricing"'],
    [
      'met Anna Schmidt yesterday: budget is $5k',
      'contact Anna Schmidt; meeting "Budget is $5k" 2026-11-14',
    ],
    [
      'talked to Anna Schmidt about the 5k renewal',
      'contact Anna Schmidt; call "About the 5k renewal"',
    ],
    ['note: buy milk', 'task Buy milk; ? note:'],
  ])('%j asks for %j', (line, expected) => {
    expect(told(understood(line))).toBe(expected)
  })
})

describe('what stands after a name is no part of it', () => {
  test.each([
    ['new contact Tom Ford CEO @Acme', 'contact Tom Ford CEO=role; company Acme'],
    ['new contact Tom Ford, CEO @Acme', 'contact Tom Ford CEO=role; company Acme'],
    [
      'new contact Lena Maier Head of Sales @Acme',
      'contact Lena Maier Head of Sales=role; company Acme',
    ],
    ['new contact Lena Maier Sales Manager', 'contact Lena Maier Sales Manager=role'],
    [
      'new contact lena maier cto lena@acme.example',
      'contact Lena Maier lena@acme.example cto=role',
    ],
    ['new contact Anthony Head', 'contact Anthony Head'],
    ['new contact Lena von der Leyen', 'contact Lena von der Leyen'],
    ['new company Initech initech.com', 'company Initech https://initech.com'],
    [
      'new company Initech https://www.initech.com/about',
      'company Initech https://www.initech.com/about',
    ],
    [
      'new company Blue Sky www.blue-sky.example #partner',
      'company Blue Sky https://www.blue-sky.example; tags partner',
    ],
    ['new company Booking.com', 'company Booking.com'],
    ['deal Website relaunch 12000 @NewCo', 'company NewCo; deal Website relaunch 12000'],
    [
      'deal Website relaunch 12,000 for Maria Keller',
      'contact Maria Keller; deal Website relaunch 12000',
    ],
    ['deal Website relaunch 12000', 'deal Website relaunch 12000'],
    ['deal Website relaunch 2027 @NewCo', 'company NewCo; deal Website relaunch 2027'],
    ['deal Order 48213 renewal @NewCo', 'company NewCo; deal Order 48213 renewal'],
    ['deal Office 365 @NewCo', 'company NewCo; deal Office 365'],
    ['deal Website relaunch Nora Stein $12k', 'contact Nora Stein; deal Website relaunch 12000'],
    [
      'deal Website relaunch Maria Keller $12k',
      'contact Maria Keller; deal Website relaunch 12000',
    ],
    ['deal upgrade to Office Suite $12k', 'deal Upgrade to Office Suite 12000'],
    ['deal migration SAP HANA $12k', 'deal Migration SAP HANA 12000'],
  ])('%j asks for %j', (line, expected) => {
    expect(told(understood(line))).toBe(expected)
  })
})

describe('as one writes days and amounts in Germany', () => {
  test.each([
    ['call Anna 20.11', 'contact Anna; task Call Anna, 2026-11-20'],
    ['call Anna 3.12.', 'contact Anna; task Call Anna, 2026-12-03'],
    ['renewal @Acme 1.200 €', 'company Acme; deal Renewal 1200'],
    ['renewal @Acme 1.200,50 €', 'company Acme; deal Renewal 1200.5'],
    ['renewal @Acme 1,5k', 'company Acme; deal Renewal 1500'],
    ['renewal @Acme $5k', 'company Acme; deal Renewal 5000 USD'],
  ])('%j asks for %j', (line, expected) => {
    setHabits({ currency: 'EUR', number_format: '1.234,56', date_format: 'dd.mm.yyyy', clock: 24 })
    expect(told(understood(line))).toBe(expected)
  })
})

describe('as one writes them in Britain', () => {
  test.each([
    ['call Anna 3/12', 'contact Anna; task Call Anna, 2026-12-03'],
    ['call Anna 3/12/2026 2pm', 'contact Anna; task Call Anna, 2026-12-03 14:00'],
    ['renewal @Acme £5k', 'company Acme; deal Renewal 5000'],
  ])('%j asks for %j', (line, expected) => {
    setHabits({ currency: 'GBP', number_format: '1,234.56', date_format: 'dd/mm/yyyy', clock: 24 })
    expect(told(understood(line))).toBe(expected)
  })
})

test.each([
  ['new contact Tom Ford', true],
  ['deal Support plan', true],
  ['called tom ford', true],
  ['Anna Schmidt #vip', true],
  ['tom ford', false],
  ['call', false],
])('that %j is a plan: %j', (line, expected) => {
  expect(isPlan(understood(line))).toBe(expected)
})
