import { z } from 'zod/mini'

/** Whether a text is a valid id; the backend would refuse anything else. */
export function isRecordId(text: string): boolean {
  return z.guid().safeParse(text).success
}
