import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  useCreatePipeline,
  useDeletePipeline,
  useRenamePipeline,
  useSaveStages,
} from './queries.ts'

test('create pipeline', () =>
  expectFailedWrite('Failed to create pipeline', () => {
    const create = useCreatePipeline()
    return () => create('Partners')
  }))

test('rename pipeline', () =>
  expectFailedWrite('Failed to update pipeline', () => {
    const rename = useRenamePipeline()
    return () => rename({ id: 'p', name: 'Partners' })
  }))

test('save stages', () =>
  expectFailedWrite('Failed to update pipeline', () => {
    const save = useSaveStages()
    return () => save({ pipeline: 'p', stages: [], moves: {} })
  }))

test('delete pipeline', () =>
  expectFailedWrite('Failed to delete pipeline', () => {
    const remove = useDeletePipeline()
    return () => remove({ id: 'p', moveTo: null })
  }))
