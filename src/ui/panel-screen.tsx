import type { ComponentProps, ReactNode } from 'react'
import classes from './panel-screen.module.css'
import { ScreenHeader } from './screen-header.tsx'

type PanelScreenProps = ComponentProps<typeof ScreenHeader> & { children: ReactNode }

/** The frame of a screen with panels, such as the settings: header, then one panel below the other. */
export function PanelScreen({ children, ...header }: PanelScreenProps) {
  return (
    <div className={classes.page}>
      <ScreenHeader {...header} />
      <div className={classes.panels}>{children}</div>
    </div>
  )
}
