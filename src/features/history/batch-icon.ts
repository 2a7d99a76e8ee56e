import {
  type Icon,
  IconArrowBackUp,
  IconArrowMerge,
  IconDatabaseImport,
  IconFileImport,
  IconPencil,
  IconPlus,
  IconSparkles,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import type { LoggedBatch } from '#domain/log.ts'

const byAction = {
  import: IconFileImport,
  merge: IconArrowMerge,
  backup: IconDatabaseImport,
  samples: IconSparkles,
  'rename tag': IconTag,
  'delete tag': IconTag,
}

/** What a batch did, at a glance. */
export function batchIcon({ undoes, action, groups }: LoggedBatch): Icon {
  if (undoes) return IconArrowBackUp
  if (action) return byAction[action]
  if (groups.some(({ verb }) => verb === 'delete')) return IconTrash
  return groups.every(({ verb }) => verb === 'insert') ? IconPlus : IconPencil
}
