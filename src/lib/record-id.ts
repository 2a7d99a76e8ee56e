import { z } from 'zod'

/** Whether a part of an address can be a record's id; anything else the backend would not even read. */
export function isRecordId(text: string): boolean {
  return z.guid().safeParse(text).success
}
