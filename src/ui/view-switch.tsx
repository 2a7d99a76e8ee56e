import { useId } from 'react'
import classes from './view-switch.module.css'

type ViewSwitchProps<View extends string> = {
  'aria-label': string
  views: { value: View; label: string }[]
  value: View
  onChange: (view: View) => void
}

/** A few views of a list side by side, of which one is shown. */
export function ViewSwitch<View extends string>(props: ViewSwitchProps<View>) {
  const { views, value, onChange } = props
  const name = useId()
  return (
    <div role="radiogroup" aria-label={props['aria-label']} className={classes.switch}>
      {views.map((view) => (
        <div key={view.value} className={classes.view}>
          <input
            type="radio"
            id={`${name} ${view.value}`}
            name={name}
            value={view.value}
            checked={view.value === value}
            onChange={() => onChange(view.value)}
            className={classes.input}
          />
          <label htmlFor={`${name} ${view.value}`} className={classes.label}>
            {view.label}
          </label>
        </div>
      ))}
    </div>
  )
}
