import { describe, expect, it, onTestFinished } from 'vitest'
import { describeError, quietConsole } from './log.ts'

function printed(print: () => void): string[] {
  const lines: string[] = []
  const restore = quietConsole((line) => lines.push(line))
  onTestFinished(restore)
  print()
  restore()
  return lines
}

describe('quietConsole', () => {
  it('keeps a label, name and code of a database error, and nothing of the row', () => {
    const error = Object.assign(new Error('Key (email)=(ada@example.com) already exists.'), {
      name: 'PostgresError',
      code: '23505',
      detail: 'ada@example.com',
      parameters: ['ada@example.com'],
    })
    const lines = printed(() => console.error('Auth error:', error))
    expect(lines).toEqual(['library error: Auth error: PostgresError 23505'])
  })

  it('says nothing of values that the database could not read: whoever sent them is told', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "nonsense"'), {
      code: '22P02',
    })
    expect(printed(() => console.error(error))).toEqual([])
  })

  it('leaves out any other text', () => {
    const lines = printed(() => {
      console.log('To: ada@example.com')
      console.warn({ email: 'ada@example.com' })
      console.info('Ada Lovelace')
    })
    expect(lines).toEqual([
      'library log: (text left out)',
      'library warn: (text left out)',
      'library info: (text left out)',
    ])
  })

  it('gives the console back', () => {
    const before = console.error
    printed(() => {})
    expect(console.error).toBe(before)
  })
})

describe('describeError', () => {
  it('trusts neither names nor codes that are sentences', () => {
    const error = Object.assign(new Error('x'), { name: 'Ada Lovelace', code: 'a@b.example' })
    expect(describeError(error)).toBe('Error')
    expect(describeError('ada@example.com')).toBe('unknown error')
  })
})
