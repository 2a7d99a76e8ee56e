import { Button, Group } from '@mantine/core'
import { proposalWords } from '#domain/batch-words.ts'
import { nounOf } from '#domain/change-words.ts'
import { fromNow, shownDay } from '#domain/dates.ts'
import { type ProposedValue, proposedValues } from '#domain/proposed-values.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { Clamped } from '#ui/clamped.tsx'
import { confirmAction } from '#ui/confirm.tsx'
import { NoticeSection } from '#ui/notice-section.tsx'
import classes from './connections.module.css'
import { type Proposal, useDecide, useProposal, useProposals } from './queries.ts'

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
  // In the order in which they came: a later one may need what an earlier one adds.
  const all = shown.map(({ id }) => id).reverse()
  async function declineAll() {
    const title = `Decline ${all.length} proposals?`
    const body = 'Nothing of them is saved. This can’t be undone.'
    const question = { title, body, confirm: 'Decline all', isDangerous: true }
    if (await confirmAction(question)) decide({ ids: all, approve: false })
  }
  return (
    <NoticeSection
      title="Proposals"
      order={record ? 2 : 3}
      action={
        shown.length > 1 && (
          <Group gap={8}>
            <Button size="compact-sm" variant="default" disabled={isPending} onClick={declineAll}>
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
  const { by, at, expires_at, card } = proposal
  const words = proposalWords({ ...card, by }, { timeZone })
    .map(({ text }) => text)
    .join('')
  return (
    <li className={classes.proposal}>
      <div className={classes.sentence}>
        <bdi>{words}</bdi>
      </div>
      {proposal.is_cut ? <LongValues id={proposal.id} /> : <AllValues {...proposal} />}
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

/** Of a proposal that is too long for the list. */
function LongValues({ id }: Pick<Proposal, 'id'>) {
  const { data } = useProposal(id)
  return data ? <AllValues {...data} /> : <p className={classes.quiet}>Loading…</p>
}

/** Each record that it would add or change, with all values. */
function AllValues({ changes }: Pick<Proposal, 'changes'>) {
  const timeZone = useTimeZone()
  // One record may be changed twice, so it is known by its place, which stays.
  const records = changes.map((change, place) => ({
    ...{ place, noun: nounOf(change.table_name).one, label: change.label },
    values: proposedValues({ ...change, row_id: change.row_id ?? '' }, timeZone),
  }))
  return records.map(({ place, noun, label, values }) => {
    return (
      <div key={place}>
        {changes.length > 1 && (
          <div className={classes.record}>
            {noun} <bdi>{label}</bdi>
          </div>
        )}
        {values.length > 0 && (
          <dl className={classes.values}>
            {values.map((value) => (
              <Value key={value.name} {...value} />
            ))}
          </dl>
        )}
      </div>
    )
  })
}

function Value({ label, from, to, whole }: ProposedValue) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <Clamped>
          {from && (
            <>
              <del>
                <bdi>{from}</bdi>
              </del>{' '}
              ›{' '}
            </>
          )}
          <bdi>{to || 'nothing'}</bdi>
        </Clamped>
        {whole && (
          <details>
            <summary>Whole text</summary>
            <bdi>{whole.to}</bdi>
          </details>
        )}
      </dd>
    </>
  )
}
