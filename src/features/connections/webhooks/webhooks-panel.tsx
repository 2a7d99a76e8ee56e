import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { fromNow } from '#domain/dates.ts'
import { webhookEvents, webhookEventWords } from '#domain/webhook.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { readPageSettings } from '#lib/page-settings.ts'
import { useNow } from '#lib/use-now.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import { Panel, PanelNote, PanelRow } from '#ui/panel.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import {
  useDeleteWebhook,
  usePauseWebhook,
  useRenewSecret,
  useWebhooks,
  type Webhook,
} from './queries.ts'
import { MadeSecret, WebhookDialog } from './webhook-dialog.tsx'

/** Who is told what happens in the account. */
export function WebhooksPanel() {
  const isHosted = readPageSettings().supabaseUrl !== ''
  return (
    <Panel title="Webhooks" text="Notify another program as soon as something happens.">
      {isHosted ? (
        <PanelNote>Not available with a Supabase project. Needs Solo CRM’s own server.</PanelNote>
      ) : (
        <Webhooks />
      )}
    </Panel>
  )
}

function Webhooks() {
  const { data: webhooks, error, refetch } = useWebhooks()
  const [isMaking, setIsMaking] = useState(false)
  if (error) {
    return (
      <ErrorState
        title="Your webhooks could not be loaded"
        message={errorMessage(error)}
        onRetry={refetch}
      />
    )
  }
  if (!webhooks) return <LoadingState text="Loading webhooks..." />
  return (
    <>
      {webhooks.length === 0 ? (
        <PanelNote>
          No webhooks yet. Add one to start a workflow elsewhere when, say, a deal is won.
        </PanelNote>
      ) : (
        webhooks.map((webhook) => <WebhookRow key={webhook.id} webhook={webhook} />)
      )}
      <PanelNote>
        <Button variant="default" onClick={() => setIsMaking(true)}>
          Add webhook
        </Button>
      </PanelNote>
      {isMaking && <WebhookDialog onClose={() => setIsMaking(false)} />}
    </>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<'deliveries' | 'edit' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const pause = usePauseWebhook()
  const remove = useDeleteWebhook()
  const renew = useRenewSecret()
  const words = useWebhookWords(webhook)
  const { id, url, is_paused, switched_off_at } = webhook
  const isResting = is_paused || switched_off_at !== null
  async function askAndDelete(): Promise<void> {
    const isSure = await confirmAction({
      title: 'Delete this webhook?',
      body: `${url} no longer gets messages. This also deletes its list of deliveries.`,
      confirm: 'Delete',
      isDangerous: true,
    })
    if (isSure) remove.mutate(id)
  }
  async function askAndRenew(): Promise<void> {
    const isSure = await confirmAction({
      title: 'Renew the secret?',
      body: 'You get a new one. Messages are signed with both for a day, so you have time to change over.',
      confirm: 'Renew',
    })
    if (isSure) renew.mutate(id, { onSuccess: (answer) => setSecret(answer.secret) })
  }
  return (
    <>
      <PanelRow title={<bdi>{url}</bdi>} badge={<StateBadge webhook={webhook} />} text={words}>
        {isResting && (
          <Button
            variant="default"
            aria-label={`Resume ${url}`}
            loading={pause.isPending}
            onClick={() => pause.mutate({ id, pause: false })}
          >
            Resume
          </Button>
        )}
        <Button
          variant="default"
          aria-label={`Deliveries to ${url}`}
          onClick={() => setOpen('deliveries')}
        >
          Deliveries
        </Button>
        <MenuButton
          label={`More for ${url}`}
          title="More"
          icon={<IconDots size={16} stroke={1.5} aria-hidden />}
        >
          {(menu) => (
            <RowMenu {...menu}>
              <Menu.Item onClick={() => setOpen('edit')}>Edit</Menu.Item>
              {!isResting && (
                <Menu.Item onClick={() => pause.mutate({ id, pause: true })}>Pause</Menu.Item>
              )}
              <Menu.Item onClick={askAndRenew}>Renew secret</Menu.Item>
              <Menu.Item color="red" onClick={askAndDelete}>
                Delete
              </Menu.Item>
            </RowMenu>
          )}
        </MenuButton>
      </PanelRow>
      {open === 'edit' && <WebhookDialog webhook={webhook} onClose={() => setOpen(null)} />}
      {open === 'deliveries' && (
        <DeliveriesDialog webhook={webhook} onClose={() => setOpen(null)} />
      )}
      {secret !== null && (
        <MadeSecret title="Your new secret" secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  )
}

function StateBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.switched_off_at) return <TintBadge color="red">Switched off</TintBadge>
  if (webhook.is_paused) return <TintBadge color="gray">Paused</TintBadge>
  if (webhook.failing_since) return <TintBadge color="orange">Failing</TintBadge>
  return null
}

/** 'Deal won, Deal lost · Last delivery 5 minutes ago'. */
function useWebhookWords({ events, last, failing_since, switched_off_at }: Webhook): string {
  const now = useNow()
  const timeZone = useTimeZone()
  const told =
    events.length === webhookEvents.length
      ? 'All events'
      : webhookEvents
          .filter((event) => events.includes(event))
          .map((event) => webhookEventWords[event])
          .join(', ')
  const state = switched_off_at
    ? 'No delivery arrived for a week'
    : failing_since
      ? `First failed ${fromNow(failing_since, now, timeZone)}`
      : last
        ? `Last delivery ${fromNow(last.at, now, timeZone)}`
        : 'Nothing sent yet'
  return `${told} · ${state}`
}
