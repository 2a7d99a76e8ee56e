import { IconBuilding, IconCurrencyDollar, IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import type { Task } from './queries.ts'
import classes from './tasks.module.css'

export type LinkKind = 'contact' | 'company' | 'deal'

type TaskLinksProps = {
  task: Task
  /** The kind of link to leave out. */
  without?: LinkKind
}

/** Links to the records of a task. */
export function TaskLinks({ task, without }: TaskLinksProps) {
  const icon = { size: 14, stroke: 1.5, 'aria-hidden': true }
  return (
    <>
      {without !== 'contact' && task.contact_id && task.contact && (
        <Link to={`/app/contacts/${task.contact_id}`} className={classes.link}>
          <IconUser {...icon} />
          <bdi>{contactName(task.contact)}</bdi>
        </Link>
      )}
      {without !== 'company' && task.company_id && task.company_name && (
        <Link to={`/app/companies/${task.company_id}`} className={classes.link}>
          <IconBuilding {...icon} />
          <bdi>{task.company_name}</bdi>
        </Link>
      )}
      {without !== 'deal' && task.deal_id && task.deal_name && (
        <Link to={`/app/deals/${task.deal_id}`} className={classes.link}>
          <IconCurrencyDollar {...icon} />
          <bdi>{task.deal_name}</bdi>
        </Link>
      )}
    </>
  )
}
