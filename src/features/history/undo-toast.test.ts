import { beforeEach, expect, test, vi } from 'vitest'
import { undo } from './undo-toast.ts'

type Conflict = { reason: string; label: string; table_name: string }

const undoBatch = vi.hoisted(() => vi.fn())
const confirmAction = vi.hoisted(() => vi.fn())
const told = vi.hoisted(() => vi.fn())
vi.mock('./queries.ts', () => ({ undoBatch }))
vi.mock('#ui/confirm.tsx', () => ({ confirmAction }))
vi.mock('#ui/toast.tsx', () => ({
  showToast: ({ message }: { message: string }) => told(message),
  showError: told,
}))
beforeEach(() => {
  vi.clearAllMocks()
})

const conflict = (reason: string): Conflict => ({ reason, label: 'Ada', table_name: 'contacts' })

function answer(...conflicts: Conflict[]): void {
  undoBatch.mockImplementation(async (_, order) =>
    order === 'refuse' ? { conflicts, undone: 0 } : { conflicts, undone: 2 },
  )
}

const onUndone = vi.fn()
const press = () => undo({ batch: async () => 'b', onUndone })

test('what is undone already, all of it, is not asked about', async () => {
  answer(conflict('undone'), conflict('undone'))
  await press()
  expect(told).toHaveBeenCalledWith('Already undone.')
  expect(undoBatch).toHaveBeenCalledOnce()
})

test('where only some of it is undone already, the rest is asked about and undone', async () => {
  answer(conflict('undone'), conflict('changed'))
  confirmAction.mockResolvedValue(true)
  await press()
  expect(confirmAction).toHaveBeenCalledOnce()
  expect(undoBatch).toHaveBeenLastCalledWith('b', 'keep')
  expect(onUndone).toHaveBeenCalledOnce()
})

test('whoever does not want the rest undone keeps it', async () => {
  answer(conflict('changed'))
  confirmAction.mockResolvedValue(false)
  await press()
  expect(undoBatch).toHaveBeenCalledOnce()
  expect(onUndone).not.toHaveBeenCalled()
})
