import { Button, Group } from '@mantine/core'
import { proposalWords } from '#domain/batch-words.ts'
import { type ChangedValue, changedValues } from '#domain/change-words.ts'
import { fromNow, shownDay } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { NoticeSection } from '#ui/notice-section.tsx'
import classes from './connections.module.css'
import { type Proposal, useDecide, useProposals } from './queries.ts'

type ProposalsProps = {
  /** Only those about this record. */
  record?: string
}

/** What assistants want to change, each with its old and new values. */
export function Proposals({ record }: ProposalsProps) {
  const { data = [] } = useProposals()
  const { mutate: decide, isPending } = useDecide()
  const shown = record ? data.filter((proposal) => isAbout(proposal, record)) : data
  if (shown.length === 0) return null
  const all = shown.map(({ id }) => id)
  return (
    <NoticeSection
      title="Proposals"
      order={record ? 2 : 3}
      action={
        shown.length > 1 && (
          <Group gap={8}>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isPending}
              onClick={() => decide({ ids: all, approve: false })}
            >
              Decline all
            </Button>
            <Button
              size="compact-sm"
              disabled={isPending}
              onClick={() => decide({ ids: all, approve: true })}
            >
              Approve all
            </Button>
          </Group>
        )
      }
    >
      <ul className={classes.list}>
        {shown.map((proposal) => (
          <ProposalCard
            key={proposal.id}
            proposal={proposal}
            isPending={isPending}
            onDecide={(approve) => decide({ ids: [proposal.id], approve })}
          />
        ))}
      </ul>
    </NoticeSection>
  )
}

function isAbout({ changes }: Proposal, record: string): boolean {
  return changes.some(({ row_id, contact_id, company_id, deal_id }) =>
    [row_id, contact_id, company_id, deal_id].includes(record),
  )
}

type ProposalCardProps = {
  proposal: Proposal
  isPending: boolean
  onDecide: (approve: boolean) => void
}

function ProposalCard({ proposal, isPending, onDecide }: ProposalCardProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const { by, at, expires_at, card, changes } = proposal
  const words = proposalWords({ ...card, by }, { timeZone })
    .map(({ text }) => text)
    .join('')
  const values = changes.flatMap((change) =>
    changedValues({ ...change, row_id: change.row_id ?? '' }, timeZone),
  )
  return (
    <li className={classes.proposal}>
      <div className={classes.sentence}>
        <bdi>{words}</bdi>
      </div>
      {values.length > 0 && (
        <dl className={classes.values}>
          {values.map((value) => (
            <Value key={Object.values(value).join(' ')} {...value} />
          ))}
        </dl>
      )}
      <div className={classes.foot}>
        <span className={classes.quiet} title={`Expires ${shownDay(expires_at, timeZone)}`}>
          {fromNow(at, now, timeZone)}
        </span>
        <Group gap={8}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Decline: ${words}`}
            disabled={isPending}
            onClick={() => onDecide(false)}
          >
            Decline
          </Button>
          <Button
            size="compact-sm"
            aria-label={`Approve: ${words}`}
            disabled={isPending}
            onClick={() => onDecide(true)}
          >
            Approve
          </Button>
        </Group>
      </div>
    </li>
  )
}

function Value({ label, from, to }: ChangedValue) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {from && (
          <>
            <del>
              <bdi>{from}</bdi>
            </del>{' '}
            →{' '}
          </>
        )}
        <bdi>{to || 'nothing'}</bdi>
      </dd>
    </>
  )
}
