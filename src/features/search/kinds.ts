import {
  type Icon,
  IconBuilding,
  IconChecklist,
  IconCurrencyDollar,
  IconMail,
  IconPaperclip,
  IconUser,
} from '@tabler/icons-react'
import type { Hit } from './queries.ts'

/** Name and icon of each kind of record. */
export const kinds: Record<Hit['kind'], { name: string; icon: Icon }> = {
  contacts: { name: 'Contact', icon: IconUser },
  companies: { name: 'Company', icon: IconBuilding },
  deals: { name: 'Deal', icon: IconCurrencyDollar },
  tasks: { name: 'Task', icon: IconChecklist },
  files: { name: 'File', icon: IconPaperclip },
  mails: { name: 'Email', icon: IconMail },
}
