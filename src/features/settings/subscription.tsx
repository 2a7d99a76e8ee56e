import { IconCheck } from '@tabler/icons-react'
import { plan } from '#domain/plan.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import classes from './settings.module.css'

/** The plan, for display: nothing is billed. */
export function Subscription() {
  return (
    <Panel title="Subscription & Billing">
      <PanelRow title={plan.name} text="Everything in Solo CRM, for one person.">
        <span className={classes.price}>
          <strong>{plan.price}</strong> <span className={classes.quiet}>{plan.period}</span>
        </span>
      </PanelRow>
      <ul className={classes.features} aria-label={`In the ${plan.name}`}>
        {plan.features.map((feature) => (
          <li key={feature}>
            <IconCheck size={16} stroke={1.5} className={classes.check} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
