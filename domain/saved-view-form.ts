import { z } from 'zod'
import { nameField } from './name.ts'
import { viewScreens } from './saved-view.ts'

export const savedViewSchema = z.object({
  screen: z.enum(viewScreens),
  name: nameField,
  query: z.string().max(8000, 'This view has more than can be saved.'),
})
