import { type KeyboardEvent, type ReactNode, useId } from 'react'
import classes from './tab-bar.module.css'

type TabBarProps<Tab extends string> = {
  tabs: { value: Tab; label: string }[]
  value: Tab
  onChange: (tab: Tab) => void
  /** The content of the chosen tab. */
  children: ReactNode
}

/** Tabs above a list; the arrow keys choose among them. */
export function TabBar<Tab extends string>({ tabs, value, onChange, children }: TabBarProps<Tab>) {
  const id = useId()
  function move(event: KeyboardEvent<HTMLElement>): void {
    const place = tabs.findIndex((tab) => tab.value === value)
    const last = tabs.length - 1
    const to = {
      ArrowRight: place === last ? 0 : place + 1,
      ArrowLeft: place <= 0 ? last : place - 1,
      Home: 0,
      End: last,
    }[event.key]
    const wanted = to === undefined ? undefined : tabs[to]
    if (!wanted) return
    event.preventDefault()
    document.getElementById(`${id}-${wanted.value}`)?.focus()
    onChange(wanted.value)
  }
  return (
    <>
      <div role="tablist" className={classes.tabs}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            className={`${classes.tab} mantine-focus-auto`}
            onClick={() => onChange(tab.value)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
