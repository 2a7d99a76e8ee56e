import type { OwnField } from '#domain/fields/own.ts'
import { broughtFields } from '#domain/import-own.ts'
import { createFileSession } from '#features/imports/file-session.ts'
import { type Account, ok } from './harness.ts'
import { importCalls } from './import-calls.ts'

/** Where the clock of these accounts stands. */
export const timeZone = 'UTC'

/**
 * Brings in a file as the screen does when nobody changes anything: from its bytes to the rows that are stored. Asked when deals
 * were closed, it answers: when they were expected to.
 */
export async function importBytes(
  account: Account,
  content: BlobPart,
  name = 'file.csv',
  duplicates = 'skip',
) {
  const session = createFileSession()
  const known = await ok(
    account.client.from('fields').select('id, record, name, kind, options, position, is_hidden'),
  )
  // Its columns are those of an own field.
  const opened = await session.open(new File([content], name), known as unknown as OwnField[], {
    timeZone,
    currency: 'USD',
  })
  if ('problem' in opened) throw new Error(opened.problem)
  const { interpretation } = opened
  const { rowCount, undated } = interpretation
  const closing = { by: 'expected close', day: '2026-05-06' } as const
  const plan = undated ? { ...interpretation.plan, closing } : interpretation.plan
  const calls = importCalls(account)
  const id = crypto.randomUUID()
  await calls.start(id, plan.kind, rowCount, broughtFields(plan.own, plan.mapping))
  await calls.send(id, await session.part(plan, 0))
  const { summary, batch } = await calls.commit(id, duplicates)
  return { form: opened.form, interpretation: { ...interpretation, plan }, summary, batch, session }
}
