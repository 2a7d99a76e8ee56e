import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { fromNow } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { useNow } from '#lib/use-now.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from '../connections.module.css'
import {
  type Delivery,
  useDeliveries,
  useSendAgain,
  useTestWebhook,
  type Webhook,
} from './queries.ts'

type DeliveriesDialogProps = { webhook: Webhook; onClose: () => void }

/** What was sent to a webhook, and what became of it. */
export function DeliveriesDialog({ webhook, onClose }: DeliveriesDialogProps) {
  const test = useTestWebhook()
  return (
    <Modal opened onClose={onClose} title="Deliveries" size={640} yOffset="8dvh">
      <div className={classes.foot}>
        <bdi className={classes.address}>{webhook.url}</bdi>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(webhook.id)}>
          Send a test
        </Button>
      </div>
      <Deliveries id={webhook.id} />
    </Modal>
  )
}

function Deliveries({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeliveries(id)
  if (error && !data) {
    return (
      <ErrorState
        title="The deliveries could not be loaded"
        message={errorMessage(error)}
        onRetry={refetch}
      />
    )
  }
  if (!data) return <LoadingState text="Loading deliveries..." />
  const deliveries = data.pages.flat()
  if (deliveries.length === 0) {
    return <p className={classes.quiet}>Nothing sent yet. Send a test to see whether it arrives.</p>
  }
  return (
    <>
      <ul className={classes.list} aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <DeliveryCard key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      <Group justify="space-between" mt="sm" mb="xs">
        <span className={classes.quiet}>Kept for 14 days.</span>
        {hasNextPage && (
          <Button
            variant="default"
            size="compact-sm"
            loading={isFetchingNextPage}
            onClick={() => fetchNextPage()}
          >
            Show older
          </Button>
        )}
      </Group>
    </>
  )
}

const states = {
  delivered: { color: 'green', name: 'Delivered' },
  failed: { color: 'red', name: 'Failed' },
  waiting: { color: 'blue', name: 'Waiting' },
}

function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const [isOpen, setIsOpen] = useState(false)
  const again = useSendAgain()
  const now = useNow()
  const timeZone = useTimeZone()
  const { id, event, status, tries, problem, answer, body, at, tried_at } = delivery
  const { color, name } = states[status]
  const told = [
    problem,
    tries > 1 ? `${tries} tries` : null,
    fromNow(tried_at ?? at, now, timeZone),
  ].filter(Boolean)
  return (
    <li className={classes.proposal}>
      <div className={classes.foot}>
        <span className={classes.event}>
          <span className={classes.sentence}>{event}</span>
          <TintBadge color={color}>{name}</TintBadge>
        </span>
        <Group gap={8}>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`Details of ${event}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            Details
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Send again: ${event}`}
            loading={again.isPending}
            onClick={() => again.mutate(id)}
          >
            Send again
          </Button>
        </Group>
      </div>
      <div className={`${classes.quiet} ${classes.told}`}>{told.join(' · ')}</div>
      {isOpen && (
        <div className={classes.details}>
          <CodeBlock label="Message" code={readable(body)} />
          {answer && <CodeBlock label="Answer" code={answer} />}
          <div className={classes.quiet}>webhook-id: {id}</div>
        </div>
      )}
    </li>
  )
}

/** With line breaks, where it was not cut. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return `${body}…`
  }
}
