import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import { attentionReason, stageColor, stageLabel } from '#domain/deal.ts'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { openForm } from '#features/forms/index.ts'
import { useNow } from '#lib/use-now.ts'
import { RecordSection } from '#ui/record-section.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './dashboard.module.css'
import type { AttentionDeal, Figures } from './queries.ts'

/** Open deals without a next step, or longer in their stage than usual. */
export function Attention({ total, rows }: Figures['attention']) {
  return (
    <RecordSection title="Deals that need attention" count={shownNumber(total)}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Every open deal has a next step, and none has stalled.
        </Text>
      )}
      <ul className={classes.deals}>
        {rows.map((deal) => (
          <li key={deal.id} className={classes.deal}>
            <DealLine deal={deal} />
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <Text size="xs" c="dimmed" pt="sm">
          {'and '}
          <Link to="/app/deals?attention=no_next_step&attention=stalled&sort=value">
            {`${shownNumber(total - rows.length)} more`}
          </Link>
        </Text>
      )}
    </RecordSection>
  )
}

function DealLine({ deal }: { deal: AttentionDeal }) {
  const now = useNow()
  const { id, name, value, currency, company_name, stage_name } = deal
  return (
    <>
      <div className={classes.dealWords}>
        <Link to={`/app/deals/${id}`} className={classes.dealName} title={name}>
          <bdi>{name}</bdi>
        </Link>
        <div className={classes.about}>
          {shownMoney(value, currency)}
          {company_name && (
            <>
              {' · '}
              <bdi>{company_name}</bdi>
            </>
          )}
          {` · ${attentionReason(deal, now)}`}
        </div>
      </div>
      <TintBadge color={stageColor(stage_name)}>{stageLabel(stage_name)}</TintBadge>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Add next step for ${name}`}
        leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
        onClick={() => openForm({ form: 'task', ...linksOf(deal) })}
      >
        Add next step
      </Button>
    </>
  )
}

/** What the next step of a deal is linked to. */
function linksOf({ id, name, company_id, company_name, contact }: AttentionDeal) {
  return {
    deal: { id, name },
    ...(contact ? { contact: { id: contact.id, name: contactName(contact) } } : {}),
    ...(company_id ? { company: { id: company_id, name: company_name ?? '' } } : {}),
  }
}
