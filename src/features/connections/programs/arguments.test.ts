import { expect, test } from 'vitest'
import { functionNamed } from '#domain/interface/functions.ts'
import type { InterfaceFunction } from '#domain/interface/interface-function.ts'
import { inputSchema } from '#domain/interface/openapi.ts'
import { argumentsOf } from './arguments.ts'

const linesOf = (name: string) =>
  argumentsOf(inputSchema(functionNamed(name) as InterfaceFunction)).map(
    (arg) => `${arg.name}${arg.isRequired ? '*' : ''}: ${arg.type}`,
  )

test('the arguments of a function are told in words, those of an object after it', () => {
  expect(linesOf('complete_task')).toEqual([
    'id*: id',
    'next_step: object',
    'next_step.title*: string',
    'next_step.due_date: moment',
    'next_step.due_day: string',
  ])
  expect(linesOf('list_contacts')).toContain('filter.company: none | id')
  expect(linesOf('save_contact')).toContain('fields.notes: string | null')
  expect(linesOf('get_record')).toContain('kind*: contacts | companies | deals | tasks')
})
