import { describe, expect, test } from 'vitest'
import { isPlan, offersFor, readQuickAdd } from './quick-add.ts'
import { nothing } from './quick-add-records.ts'
import { told } from './told-quick-add.ts'

// A Sunday, eleven in the morning.
const clock = { now: Date.parse('2026-11-15T10:00:00Z'), timeZone: 'Europe/Berlin', weekStart: 1 }

test.each([
  [
    'call Anna Schmidt @Acme tue 3pm !high renewal $5k',
    'contact Anna Schmidt; company Acme; deal Renewal 5000; task Call Anna Schmidt renewal, 2026-11-17 15:00, high',
  ],
  ['call Anna Schmidt', 'contact Anna Schmidt; task Call Anna Schmidt'],
  ['Call Anna Schmidt tomorrow', 'contact Anna Schmidt; task Call Anna Schmidt, 2026-11-16'],
  [
    'call Anna Schmidt, renewal tomorrow',
    'contact Anna Schmidt; task Call Anna Schmidt, renewal, 2026-11-16',
  ],
  ['Anna Schmidt, @Acme, $5k.', 'contact Anna Schmidt; company Acme; deal Deal with Acme 5000'],
  [
    'call Ludwig van der Berg tomorrow',
    'contact Ludwig van der Berg; task Call Ludwig van der Berg, 2026-11-16',
  ],
  ['email Anna de novo', 'contact Anna; task Email Anna de novo'],
  ['call Anna, Bob and Carla', 'contact Anna; task Call Anna, Bob and Carla'],
  [
    'lunch with Anna Schmidt; bring slides',
    'contact Anna Schmidt; task Lunch with Anna Schmidt; bring slides',
  ],
  ['call back @Smith & Sons, tomorrow', 'company Smith & Sons; task Call back, 2026-11-16'],
  [
    'audit @Acme Inc. $1,200.50, fri',
    'company Acme Inc.; deal Audit 1200.5; task Audit, 2026-11-20',
  ],
  ['New Deal $5k @Acme', 'company Acme; deal New Deal 5000'],
  ['Support Contract @Acme $1k', 'company Acme; deal Support Contract 1000'],
  [
    'call Dr. Anna Schmidt tomorrow',
    'contact Anna Schmidt; task Call Dr. Anna Schmidt, 2026-11-16',
  ],
  ['call Mrs Schmidt', 'contact Schmidt; task Call Mrs Schmidt'],
  ['phone Bob at 3pm', 'contact Bob; task Phone Bob, 2026-11-15 15:00'],
  ['ring Bob today', 'contact Bob; task Ring Bob, 2026-11-15'],
  ['text Bob tonight', 'contact Bob; task Text Bob, 2026-11-15 22:00'],
  ['message Carla Stone !low', 'contact Carla Stone; task Message Carla Stone, low'],
  ['email Anna about pricing', 'contact Anna; task Email Anna about pricing'],
  [
    'e-mail Anna Schmidt the contract',
    'contact Anna Schmidt; task E-mail Anna Schmidt the contract',
  ],
  ['mail Anna tomorrow morning', 'contact Anna; task Mail Anna, 2026-11-16 09:00'],
  ['write Anna', 'contact Anna; task Write Anna'],
  [
    'write to Zoë Müller about pricing 2026-12-01 14:00',
    'contact Zoë Müller; task Write to Zoë Müller about pricing, 2026-12-01 14:00',
  ],
  [
    'meet Anna @Acme Corp monday 9am $10k expansion',
    'contact Anna; company Acme Corp; deal Expansion 10000; task Meet Anna expansion, 2026-11-16 09:00',
  ],
  [
    'meeting with Bob Stone @"Blue Sky" tomorrow 10:30',
    'contact Bob Stone; company Blue Sky; task Meeting with Bob Stone, 2026-11-16 10:30',
  ],
  ['lunch with May on Nov 20 at noon', 'contact May; task Lunch with May, 2026-11-20 12:00'],
  ['coffee with Anna this afternoon', 'contact Anna; task Coffee with Anna, 2026-11-15 15:00'],
  [
    "dinner with Bob O'Neil friday 7pm",
    "contact Bob O'Neil; task Dinner with Bob O'Neil, 2026-11-20 19:00",
  ],
  ['demo for Globex in 3 days', 'task Demo for Globex, 2026-11-18'],
  [
    'demo for Anna Schmidt in 3 days',
    'contact Anna Schmidt; task Demo for Anna Schmidt, 2026-11-18',
  ],
  [
    'visit Jean-Luc Picard next week',
    'contact Jean-Luc Picard; task Visit Jean-Luc Picard, 2026-11-16',
  ],
  ['see Anna in 2 weeks', 'contact Anna; task See Anna, 2026-11-29'],
  ['ask Smith & Sons', 'contact Smith; task Ask Smith & Sons'],
  ['remind José on friday', 'contact José; task Remind José, 2026-11-20'],
  ['thank Anna', 'contact Anna; task Thank Anna'],
  [
    'invite Anna Schmidt to the fair 12/01',
    'contact Anna Schmidt; task Invite Anna Schmidt to the fair, 2026-12-01',
  ],
  [
    'send offer to Anna Schmidt friday',
    'contact Anna Schmidt; task Send offer to Anna Schmidt, 2026-11-20',
  ],
  ['send invoice tomorrow !urgent', 'task Send invoice, 2026-11-16, urgent'],
  ['prepare slides by thursday', 'task Prepare slides, 2026-11-19'],
  ['follow up with Carla next week', 'contact Carla; task Follow up with Carla, 2026-11-16'],
  ['follow up', 'task Follow up'],
  ['check contract in 2 hours', 'task Check contract, 2026-11-15 13:00'],
  ['review contract today', 'task Review contract, 2026-11-15'],
  ['book a room for monday at 5', 'task Book a room, 2026-11-16 17:00'],
  [
    'schedule demo with Bob Stone wed 11',
    'contact Bob Stone; task Schedule demo with Bob Stone, 2026-11-18 11:00',
  ],
  ['pay invoice 4711 by friday', 'task Pay invoice 4711, 2026-11-20'],
  ['order paper', 'task Order paper'],
  ['buy milk', 'task Buy milk'],
  ['buy milk tomorrow', 'task Buy milk, 2026-11-16'],
  ['fix the website sat', 'task Fix the website, 2026-11-21'],
  ['plan the week sunday evening', 'task Plan the week, 2026-11-15 20:00'],
  ['draft the offer until Dec 3', 'task Draft the offer, 2026-12-03'],
  ['sign the lease on January 5 at 8:30', 'task Sign the lease, 2027-01-05 08:30'],
  ['todo clean up the list', 'task Clean up the list'],
  ['task renew passport Mar 3', 'task Renew passport, 2027-03-03'],
  ['call May Smith tomorrow', 'contact May Smith; task Call May Smith, 2026-11-16'],
  ['call April at 5pm', 'contact April; task Call April, 2026-11-15 17:00'],
  ['call June', 'contact June; task Call June'],
  ['call Sun Microsystems', 'contact Sun Microsystems; task Call Sun Microsystems'],
  [
    'Meeting with Sun Microsystems Tue 3pm',
    'contact Sun Microsystems; task Meeting with Sun Microsystems, 2026-11-17 15:00',
  ],
  ['call Anna Sun', 'contact Anna; task Call Anna, 2026-11-15'],
  ['call Wed Dec 2', 'task Call, 2026-12-02'],
  ['call mom tonight', 'task Call mom, 2026-11-15 22:00'],
  ['call back tomorrow', 'task Call back, 2026-11-16'],
  [
    'call anna schmidt @acme tue',
    'contact Anna Schmidt; company acme; task Call Anna Schmidt, 2026-11-17',
  ],
  ['call back @Acme tomorrow', 'company Acme; task Call back, 2026-11-16'],
  [
    'call anna @"blue sky" 9:15',
    'contact Anna; company blue sky; task Call Anna, 2026-11-16 09:15',
  ],
  ['call Bob 8am', 'contact Bob; task Call Bob, 2026-11-16 08:00'],
  ['call Bob 3pm', 'contact Bob; task Call Bob, 2026-11-15 15:00'],
  ['call Bob 05:30', 'contact Bob; task Call Bob, 2026-11-16 05:30'],
  ['call Bob 5:30', 'contact Bob; task Call Bob, 2026-11-16 17:30'],
  ['call Bob next monday at 5', 'contact Bob; task Call Bob, 2026-11-16 17:00'],
  ['call Bob in 30 minutes', 'contact Bob; task Call Bob, 2026-11-15 11:30'],
  ['call Bob in an hour', 'contact Bob; task Call Bob, 2026-11-15 12:00'],
  ['call Bob at midnight', 'contact Bob; task Call Bob, 2026-11-16 00:00'],
  ['call Bob day after tomorrow', 'contact Bob; task Call Bob, 2026-11-17'],
  ['call Bob 20 November', 'contact Bob; task Call Bob, 2026-11-20'],
  ['call Bob Nov 20th', 'contact Bob; task Call Bob, 2026-11-20'],
  ['call Bob 2026-11-20', 'contact Bob; task Call Bob, 2026-11-20'],
  ['call Bob 2027-01-02 16:45', 'contact Bob; task Call Bob, 2027-01-02 16:45'],
  ['call Bob every monday', 'contact Bob; task Call Bob, 2026-11-16, weekly 1'],
  ['quarterly review every monday', 'task Quarterly review, 2026-11-16, weekly 1'],
  ['Call Q3 results', 'task Call Q3 results'],
  [
    'text +1 555 123 4567 tomorrow',
    'contact +1 555 123 4567; task Text +1 555 123 4567, 2026-11-16',
  ],
  ['call +49 30 1234567', 'contact +49 30 1234567; task Call +49 30 1234567'],
  ['email anna@acme.com tomorrow', 'contact anna@acme.com; task Email anna@acme.com, 2026-11-16'],
  ['Anna Schmidt', 'contact Anna Schmidt'],
  ['Anna Schmidt @Acme', 'contact Anna Schmidt; company Acme'],
  ['Anna Maria Schmidt @Acme', 'contact Anna Maria Schmidt; company Acme'],
  ['Anna Schmidt anna@acme.com', 'contact Anna Schmidt anna@acme.com'],
  [
    'anna@acme.com Anna Schmidt @Acme +49 30 1234567',
    'contact Anna Schmidt anna@acme.com +49 30 1234567; company Acme',
  ],
  ['anna@acme.com', 'contact anna@acme.com'],
  ['+49 30 1234567', 'contact +49 30 1234567'],
  ['Anna Schmidt tomorrow', 'contact Anna Schmidt; task Anna Schmidt, 2026-11-16'],
  ['Anna Schmidt !high', 'contact Anna Schmidt; task Anna Schmidt, high'],
  ['@Acme', 'company Acme'],
  ['@acme', 'company acme'],
  ['@"Acme Corporation"', 'company Acme Corporation'],
  ['@Smith & Sons', 'company Smith & Sons'],
  ['@Monday Media', 'company Monday Media'],
  ['call Anna @Smith & Sons tue', 'contact Anna; company Smith & Sons; task Call Anna, 2026-11-17'],
  ['call Anna @Acme Tue 3pm', 'contact Anna; company Acme; task Call Anna, 2026-11-17 15:00'],
  ['@Acme $5k', 'company Acme; deal Deal with Acme 5000'],
  ['Renewal @Acme $5k', 'company Acme; deal Renewal 5000'],
  ['renewal @Acme $5,000', 'company Acme; deal Renewal 5000'],
  ['Acme Renewal $5k', 'deal Acme Renewal 5000'],
  ['Anna Schmidt $5k renewal', 'contact Anna Schmidt; deal Renewal 5000'],
  ['Anna Schmidt @Acme $750.50', 'contact Anna Schmidt; company Acme; deal Deal with Acme 750.5'],
  ['$1,200.50 training', 'deal Training 1200.5'],
  ['$2.5m @Globex relaunch', 'company Globex; deal Relaunch 2500000'],
  ['$5K', 'deal New deal 5000'],
  ['$5k tomorrow', 'deal New deal 5000; task New deal, 2026-11-16'],
  [
    'renewal with Anna Schmidt $5k !urgent friday',
    'contact Anna Schmidt; deal Renewal 5000; task Renewal with Anna Schmidt, 2026-11-20, urgent',
  ],
  ['costs $5 per seat', 'deal Costs per seat 5'],
  ['!high', ''],
  ['!h call Bob', 'contact Bob; task Call Bob, high'],
  ['!medium call Bob', 'contact Bob; task Call Bob'],
  ['!important call Bob', 'contact Bob; task Call Bob; ? !important'],
  ['tomorrow', ''],
  ['50% off for Bob', 'task 50% off for Bob'],
  ['Müller anrufen', 'task Müller anrufen'],
  ['陈伟 @Acme', 'contact 陈伟; company Acme'],
  [
    'call Élodie Dupont @Société Générale fri',
    'contact Élodie Dupont; company Société Générale; task Call Élodie Dupont, 2026-11-20',
  ],
  ['just some words', 'task Just some words'],
  ['<script>alert(1)</script>', 'task <script>alert(1)</script>'],
])('%j asks for %j', (line, expected) => {
  expect(told(readQuickAdd(line, clock))).toBe(expected)
})

test('the parts of a contact are told apart', () => {
  const { contact } = readQuickAdd('Anna Maria Schmidt anna@acme.com +49 30 1234567', clock)
  expect(contact).toEqual({
    first_name: 'Anna',
    last_name: 'Maria Schmidt',
    email: 'anna@acme.com',
    phone_number: '+49 30 1234567',
  })
})

describe('the clock', () => {
  test.each([
    // In the night from Saturday to Sunday the clock skips the hour from two to three.
    ['2026-03-28T10:00:00Z', 'call Bob tomorrow 02:30', '2026-03-29 03:30'],
    ['2026-03-28T10:00:00Z', 'call Bob tomorrow', '2026-03-29'],
    ['2026-10-24T10:00:00Z', 'call Bob tomorrow 02:30', '2026-10-25 02:30'],
    ['2026-11-15T22:45:00Z', 'call Bob today', '2026-11-15'],
    ['2026-11-15T22:45:00Z', 'call Bob tomorrow', '2026-11-16'],
    ['2026-11-15T05:00:00Z', 'call Bob today', '2026-11-15'],
    ['2026-12-31T10:00:00Z', 'call Bob tomorrow', '2027-01-01'],
    ['2026-11-15T23:30:00Z', 'call Bob tomorrow', '2026-11-17'],
  ])('at %s, %j is at %s', (now, line, expected) => {
    const { task } = readQuickAdd(line, { ...clock, now: Date.parse(now) })
    expect(told({ ...nothing, task })).toBe(`task Call Bob, ${expected}`)
  })

  test('another time zone, another moment', () => {
    const result = readQuickAdd('call Bob tomorrow', { ...clock, timeZone: 'Pacific/Auckland' })
    expect(told(result, 'Pacific/Auckland')).toBe('contact Bob; task Call Bob, 2026-11-16')
    expect(result.task?.due_date).toBe('2026-11-16T10:59:59.000Z')
  })

  test('next week begins with the day that the user’s weeks begin with', () => {
    const { task } = readQuickAdd('call Bob next week', { ...clock, weekStart: 0 })
    expect(task?.due_date).toBe('2026-11-22T22:59:59.000Z')
  })
})

test.each([
  ['call Anna Schmidt @Acme tue 3pm !high renewal $5k', true],
  ['call Anna', true],
  ['buy milk tomorrow', true],
  ['buy milk !high', true],
  ['$5k', true],
  ['buy milk', false],
  ['Anna Schmidt', false],
  ['anna@acme.com', false],
  ['@Acme', false],
  ['acme', false],
])('that %j is a plan: %j', (line, expected) => {
  expect(isPlan(readQuickAdd(line, clock))).toBe(expected)
})

test.each([
  ['Anna  Schmidt', ['contact Anna Schmidt', 'company Anna Schmidt', 'task Anna Schmidt']],
  ['acme', ['task Acme', 'contact acme', 'company acme']],
  ['@Acme', ['company Acme']],
  ['anna@acme.com', ['contact anna@acme.com']],
  ['buy milk tomorrow', ['task Buy milk, 2026-11-16']],
  ['tomorrow', ['task Tomorrow', 'contact tomorrow', 'company tomorrow']],
])('%j could be %j', (line, expected) => {
  expect(offersFor(line, clock).map((offer) => told(offer))).toEqual(expected)
})
