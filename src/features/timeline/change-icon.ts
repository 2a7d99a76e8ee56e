import {
  type Icon,
  IconArrowBackUp,
  IconBuilding,
  IconChecklist,
  IconCurrencyDollar,
  IconFolder,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import type { LoggedChange } from '#domain/log.ts'

const byTable: Record<string, Icon> = {
  tasks: IconChecklist,
  deals: IconCurrencyDollar,
  collection_members: IconFolder,
  deal_contacts: IconUser,
}

const byVerb: Record<LoggedChange['verb'], Icon> = {
  insert: IconPlus,
  update: IconPencil,
  delete: IconTrash,
}

/** The icon of a change. */
export function changeIcon({ table_name, verb, undoes }: LoggedChange): Icon {
  if (undoes) return IconArrowBackUp
  if (verb === 'insert' && table_name === 'contacts') return IconUser
  if (verb === 'insert' && table_name === 'companies') return IconBuilding
  return byTable[table_name] ?? byVerb[verb]
}
