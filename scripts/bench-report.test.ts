import { expect, test } from 'vitest'
import { withMachine, withMeasured } from '../bench/report.ts'

const figure = { rows: 1000, ours: 4.04, plain: 2, isMet: true, goal: '< 5 ms' }
const there = `# Benchmarks

Machine of 2026-11-16: slow.
Machine of 2026-11-17: quick.

## The server

Words.

| rows | what | ours | plain | ratio | goal | met | measured | earlier |
|---:|---|---:|---:|---:|---|---|---|---|
| 1,000 | page, 8 at once: 248 requests/s | 3.7 | – | – | – | – | 2026-11-16 | – |
| 1,000 | insert | 9.6 | – | – | – | – | 2026-11-16 | – |

## Others

| rows | what |
|---:|---|
| 1,000 | insert |
`
const day = '2026-11-19'

test('a part measured anew keeps the earlier figure with its day, and one that fails is a line until it is measured', () => {
  const failed = withMeasured(
    there,
    'The server',
    { name: 'requests', figures: [], failure: new Error('too\nlong | late') },
    day,
  )
  expect(failed).toContain(
    '| – | part requests, failed: too long \\| late | – | – | – | – | **no** | 2026-11-19 | – |\n\n## Others',
  )
  const figures = ['page, 8 at once: 300 requests/s', 'page'].map((what) => ({ ...figure, what }))
  const done = withMeasured(failed, 'The server', { name: 'requests', figures }, day)
  const kept = '| 1,000 | insert | 9.6 | – | – | – | – | 2026-11-16 | – |'
  expect(done.split('\n').filter((line) => line.includes('1,000 |'))).toEqual([
    '| 1,000 | page, 8 at once: 300 requests/s | 4.0 | 2.0 | 2.02 | < 5 ms | yes | 2026-11-19 | 3.7 (2026-11-16, 248 requests/s) |',
    kept,
    '| 1,000 | page | 4.0 | 2.0 | 2.02 | < 5 ms | yes | 2026-11-19 | – |',
    '| 1,000 | insert |',
  ])
  expect(done).not.toContain('failed')
  expect(done).toContain('Words.\n\n| rows')
})

test('a machine is named once for its day', () => {
  const named = withMachine(there, day, 'new')
  expect(named).toContain('quick.\nMachine of 2026-11-19: new.\n\n')
  expect(withMachine(named, day, 'new')).toBe(named)
})
