import { IconBuilding, IconCurrencyDollar, IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { contactName } from '#domain/contact.ts'
import type { Task } from './queries.ts'
import classes from './tasks.module.css'

type TaskLinksProps = {
  task: Task
  /** The id of a record to which no link is needed. */
  without?: string
}

/** Links to the records of a task. */
export function TaskLinks({ task, without }: TaskLinksProps) {
  const icon = { size: 14, stroke: 1.5, 'aria-hidden': true }
  return (
    <>
      {task.contact_id && task.contact_id !== without && task.contact && (
        <Link to={`/app/contacts/${task.contact_id}`} className={classes.link}>
          <IconUser {...icon} />
          <bdi>{contactName(task.contact)}</bdi>
        </Link>
      )}
      {task.company_id && task.company_id !== without && task.company_name && (
        <Link to={`/app/companies/${task.company_id}`} className={classes.link}>
          <IconBuilding {...icon} />
          <bdi>{task.company_name}</bdi>
        </Link>
      )}
      {task.deal_id && task.deal_id !== without && task.deal_name && (
        <Link to={`/app/deals/${task.deal_id}`} className={classes.link}>
          <IconCurrencyDollar {...icon} />
          <bdi>{task.deal_name}</bdi>
        </Link>
      )}
    </>
  )
}
