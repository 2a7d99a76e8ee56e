import { z } from 'zod'
import { nameField } from './name.ts'

export const collectionSchema = z.object({ name: nameField })
