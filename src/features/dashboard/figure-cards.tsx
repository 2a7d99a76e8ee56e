import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { percentChange } from '#domain/percent-change.ts'
import { noFigure, StatCard, StatCards } from '#ui/stat-card.tsx'
import classes from './dashboard.module.css'
import type { Figures } from './queries.ts'

/** The four cards at the top. */
export function FigureCards({ figures }: { figures: Figures | undefined }) {
  const { contacts, companies, deals } = figures ?? {}
  return (
    <StatCards>
      <StatCard name="Total Contacts" value={shown(contacts?.total)}>
        <Change recent={contacts?.recent} before={contacts?.before} />
      </StatCard>
      <StatCard name="Active Deals" value={shown(deals?.total)}>
        <Change recent={deals?.recent} before={deals?.before} />
        <span className={classes.also}>{deals && `${shown(deals.open)} open`}</span>
      </StatCard>
      <StatCard name="Companies" value={shown(companies?.total)}>
        <Change recent={companies?.recent} before={companies?.before} />
      </StatCard>
      <StatCard name="Revenue" value={deals ? shownMoney(deals.value) : noFigure}>
        <Change recent={deals?.value_recent} before={deals?.value_before} />
        <span className={classes.also}>{deals && `${shownMoney(deals.won)} won`}</span>
      </StatCard>
    </StatCards>
  )
}

function shown(figure: number | undefined): string {
  return figure === undefined ? noFigure : shownNumber(figure)
}

type ChangeProps = { recent: number | string | undefined; before: number | string | undefined }

function Change({ recent, before }: ChangeProps) {
  if (recent === undefined || before === undefined) return <span>{'\u00a0'}</span>
  const { words, direction } = percentChange(recent, before)
  const isCompared = words.endsWith('%')
  return (
    <span className={classes.change} title="Last 30 days compared with the 30 days before">
      <span className={classes.percent} data-direction={direction}>
        {words}
      </span>
      {isCompared && ' vs. previous 30 days'}
    </span>
  )
}
