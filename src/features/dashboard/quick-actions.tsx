import { Title } from '@mantine/core'
import { IconBuilding, IconChecklist, IconCurrencyDollar, IconUsers } from '@tabler/icons-react'
import { openForm } from '#features/forms/index.ts'
import classes from './dashboard.module.css'

const actions = [
  { form: 'contact', name: 'Add New Contact', icon: IconUsers },
  { form: 'deal', name: 'Create Deal', icon: IconCurrencyDollar },
  { form: 'company', name: 'Add Company', icon: IconBuilding },
  { form: 'task', name: 'Create Task', icon: IconChecklist },
] as const

/** Buttons for the forms that are used most. */
export function QuickActions() {
  return (
    <section className={classes.section} aria-label="Quick Actions">
      <Title order={2} className={classes.title ?? ''}>
        Quick Actions
      </Title>
      <div className={classes.actions}>
        {actions.map(({ form, name, icon: Icon }) => (
          <button
            key={form}
            type="button"
            className={classes.action}
            onClick={() => openForm({ form })}
          >
            <Icon size={18} stroke={1.5} aria-hidden />
            {name}
          </button>
        ))}
      </div>
    </section>
  )
}
