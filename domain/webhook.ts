import { z } from 'zod'

/** What a webhook can be told, in the order in which they are offered. */
export const webhookEvents = [
  'created',
  'updated',
  'deleted',
  'stage_moved',
  'won',
  'lost',
  'task_completed',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

export const webhookEventWords: Record<WebhookEvent, string> = {
  created: 'Record created',
  updated: 'Record updated',
  deleted: 'Record deleted',
  stage_moved: 'Deal moved to another stage',
  won: 'Deal won',
  lost: 'Deal lost',
  task_completed: 'Task completed',
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === '' && !/\s/.test(text)
}

/** The form of a webhook. */
export const webhookSchema = z.object({
  url: z
    .string()
    .trim()
    .min(1, 'Address is required.')
    .max(2000, 'The address is too long: 2,000 characters at most.')
    .refine(
      (text) => text === '' || isWebAddress(text),
      'Enter an address such as https://example.com/hook, without a name and password.',
    ),
  events: z.array(z.enum(webhookEvents)).min(1, 'Choose at least one event.'),
})

export type WebhookInput = z.output<typeof webhookSchema>
