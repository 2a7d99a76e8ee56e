import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  const log = (account: Account, note: Record<string, unknown>, next: Record<string, unknown>) =>
    account.client.rpc('log_with_next_step', { note: note as never, next_step: next as never })
  const complete = (account: Account, id: string, next: Record<string, unknown>) =>
    account.client.rpc('complete_with_next_step', { id, next_step: next as never })
  const undo = async (answer: unknown) =>
    ok(owner.client.rpc('undo_batch', { batch: (answer as { batch: string }).batch }))
  const tasks = () =>
    ok(owner.client.from('tasks').select('title, completed, contact_id, deal_id').order('title'))
  const history = async () =>
    (await ok(owner.client.rpc('history_page', {}))) as { rows: { batch: string }[] }

  test('a call and its next step are one batch, undone at once; a second try adds nothing', async () => {
    const { id: contact } = await add(owner, 'contacts')
    const happened_at = '2026-11-15T10:00:00Z'
    const words = {
      kind: 'call',
      body: 'Wants a quote',
      minutes: 7,
      happened_at,
      contact_id: contact,
    }
    const note = { id: randomUUID(), ...words }
    const next = { id: randomUUID(), title: 'Send the quote', contact_id: contact }
    const answer = await ok(log(owner, note, next))
    expect(answer).toMatchObject({
      note: { body: 'Wants a quote', minutes: 7 },
      task: { title: next.title },
    })
    await ok(log(owner, note, next))
    expect(await tasks()).toEqual([
      { title: 'Send the quote', completed: false, contact_id: contact, deal_id: null },
    ])
    expect(await ok(owner.client.from('notes').select('kind, contact_id'))).toEqual([
      { kind: 'call', contact_id: contact },
    ])
    await undo(answer)
    expect(await tasks()).toEqual([])
    expect(await ok(owner.client.from('notes').select('id'))).toEqual([])
  })

  test('neither is saved without the other', async () => {
    const { id: contact } = await add(owner, 'contacts')
    const note = { id: randomUUID(), kind: 'call', body: 'Wants a quote', contact_id: contact }
    const { error } = await log(owner, note, { id: randomUUID(), title: ' ' })
    expect(error?.code).toBe('PT400')
    expect(await ok(owner.client.from('notes').select('id'))).toEqual([])
  })

  test('a step typed after the click joins the completion: one entry of the history, undone at once', async () => {
    const { id } = await add(owner, 'tasks', { title: 'Call' })
    await ok(owner.client.from('tasks').update({ completed: true }).eq('id', id).select('id'))
    const before = await history()
    const answer = await ok(complete(owner, id, { id: randomUUID(), title: 'Write' }))
    const after = await history()
    expect(after.rows.map(({ batch }) => batch)).toEqual(before.rows.map(({ batch }) => batch))
    expect(after.rows[0]?.batch).toBe((answer as { batch: string }).batch)
    await undo(answer)
    expect(await tasks()).toMatchObject([{ title: 'Call', completed: false }])
  })

  test('a task that is open yet is completed with its next step', async () => {
    const { id } = await add(owner, 'tasks', { title: 'Call' })
    const answer = await ok(complete(owner, id, { id: randomUUID(), title: 'Write' }))
    expect(await tasks()).toMatchObject([
      { title: 'Call', completed: true },
      { title: 'Write', completed: false },
    ])
    await undo(answer)
    expect(await tasks()).toMatchObject([{ title: 'Call', completed: false }])
  })

  test('a task that was completed with others keeps its batch for itself', async () => {
    const { id } = await add(owner, 'tasks', { title: 'Call' })
    await add(owner, 'tasks', { title: 'Meet' })
    await ok(owner.client.rpc('update_tasks', { filter: {}, changes: { completed: true } }))
    await undo(await ok(complete(owner, id, { id: randomUUID(), title: 'Write' })))
    expect(await tasks()).toMatchObject([
      { title: 'Call', completed: true },
      { title: 'Meet', completed: true },
    ])
  })

  test('a step with a contact who has one open deal belongs to that deal, of several to none', async () => {
    const { id: contact } = await add(owner, 'contacts')
    const plan = async () => {
      const next = { id: randomUUID(), title: 'Send the quote', contact_id: contact }
      const note = { id: randomUUID(), kind: 'call', body: 'Hello', contact_id: contact }
      const { task } = (await ok(log(owner, note, next))) as { task: { deal_id: string | null } }
      return task.deal_id
    }
    const deal = await add(owner, 'deals', { contact_id: contact, stage_id: null })
    // Both ways to be on a deal, and still one deal.
    await add(owner, 'deal_contacts', { deal_id: deal.id, contact_id: contact })
    expect(await plan()).toBe(deal.id)
    const other = await add(owner, 'deals', { contact_id: null, stage_id: null })
    const { id } = await add(owner, 'deal_contacts', { deal_id: other.id, contact_id: contact })
    expect(await plan()).toBeNull()
    await ok(owner.client.from('deal_contacts').delete().eq('id', id).select())
    const stages = owner.client.from('pipeline_stages').select('id').eq('outcome', 'won')
    const [won] = await ok(stages.limit(1))
    await ok(
      owner.client
        .from('deals')
        .update({ stage_id: won?.id ?? '' })
        .eq('id', deal.id)
        .select(),
    )
    expect(await plan()).toBeNull()
  })

  test('nobody completes, logs on or links to what belongs to another', async () => {
    const other = await database().signUp()
    const { id: task } = await add(owner, 'tasks', { title: 'Call' })
    const { id: contact } = await add(owner, 'contacts')
    const next = { id: randomUUID(), title: 'Mine' }
    expect((await complete(other, task, next)).error?.code).toBe('PT404')
    const note = { id: randomUUID(), kind: 'call', body: 'x', contact_id: contact }
    expect((await log(other, note, next)).error).not.toBeNull()
    const { id: ofOther } = await add(other, 'tasks')
    expect((await complete(other, ofOther, { ...next, contact_id: contact })).error).not.toBeNull()
    // Nor overwrites it by its id.
    expect((await complete(other, ofOther, { ...next, id: task })).error).not.toBeNull()
    expect(await tasks()).toMatchObject([{ title: 'Call', completed: false }])
    expect(await ok(other.client.from('tasks').select('completed'))).toEqual([{ completed: false }])
  })
})
