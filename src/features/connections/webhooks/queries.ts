import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type WebhookInput, webhookEvents } from '#domain/webhook.ts'
import { maybe } from '#lib/answers.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { waitingCountsKey } from '#lib/waiting-counts.ts'

const status = z.enum(['waiting', 'delivered', 'failed'])

/** See the database's `webhooks`. */
const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  is_paused: z.boolean(),
  failing_since: maybe,
  switched_off_at: maybe,
  last: z.nullable(z.object({ status, at: z.string() })),
})

export type Webhook = z.output<typeof webhook>

const webhooksKey = ['webhooks']

export function useWebhooks() {
  return useQuery({
    queryKey: [...webhooksKey, 'list'],
    queryFn: ({ signal }) => callForJson('webhooks', {}, z.array(webhook), signal),
    meta: { failed: 'Failed to fetch webhooks' },
  })
}

/** See the database's `webhook_deliveries`. */
const delivery = z.object({
  id: z.string(),
  event: z.string(),
  status,
  tries: z.number(),
  http_status: z.nullable(z.number()),
  problem: maybe,
  answer: maybe,
  body: z.string(),
  at: z.string(),
  tried_at: maybe,
})

export type Delivery = z.output<typeof delivery>

/** While a message waits, in milliseconds. */
const pollEvery = 3000

/** As many as the database answers at once. */
const pageSize = 30

/** Messages to a webhook, newest first. */
export function useDeliveries(id: string) {
  return useInfiniteQuery({
    queryKey: [...webhooksKey, 'deliveries', id],
    queryFn: ({ signal, pageParam }) =>
      callForJson(
        'webhook_deliveries',
        { webhook: id, ...(pageParam ? { before: pageParam } : {}) },
        z.array(delivery),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.at : undefined),
    refetchInterval: ({ state }) =>
      state.data?.pages.flat().some((each) => each.status === 'waiting') ? pollEvery : false,
    meta: { failed: 'Failed to fetch deliveries' },
  })
}

function useWebhookWrite<Input, Answer>(
  write: (input: Input) => Promise<Answer>,
  meta: { saved?: string; failed: string },
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: write,
    // Also after a failure: another window may have deleted the webhook.
    onSettled: () => {
      queryClient.invalidateQueries({ queryKey: waitingCountsKey })
      return queryClient.invalidateQueries({ queryKey: webhooksKey })
    },
    meta,
  })
}

const made = z.object({ id: z.string(), secret: z.string() })
const renewed = z.object({ secret: z.string() })
const sent = z.object({ id: z.string() })

/** Its answer is the only place where the secret stands. */
export function useCreateWebhook() {
  return useWebhookWrite(
    ({ url, events }: WebhookInput) => callForJson('create_webhook', { url, events }, made),
    { failed: 'Failed to create webhook' },
  )
}

export function useChangeWebhook() {
  return useWebhookWrite(
    (changes: WebhookInput & { id: string }) => callFunction('change_webhook', changes),
    { saved: 'Webhook saved', failed: 'Failed to save webhook' },
  )
}

export function usePauseWebhook() {
  return useWebhookWrite(
    (change: { id: string; pause: boolean }) => callFunction('pause_webhook', change),
    { failed: 'Failed to change webhook' },
  )
}

export function useDeleteWebhook() {
  return useWebhookWrite((id: string) => callFunction('delete_webhook', { id }), {
    saved: 'Webhook deleted',
    failed: 'Failed to delete webhook',
  })
}

/** Its answer is the only place where the secret stands. */
export function useRenewSecret() {
  return useWebhookWrite((id: string) => callForJson('renew_webhook_secret', { id }, renewed), {
    failed: 'Failed to renew secret',
  })
}

export function useTestWebhook() {
  return useWebhookWrite((id: string) => callForJson('test_webhook', { id }, sent), {
    failed: 'Failed to send test',
  })
}

export function useSendAgain() {
  return useWebhookWrite((delivery: string) => callFunction('send_webhook_again', { delivery }), {
    failed: 'Failed to send again',
  })
}
