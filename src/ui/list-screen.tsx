import type { ComponentProps, ReactNode } from 'react'
import { AddressNotice } from './address-notice.tsx'
import classes from './list-screen.module.css'
import { ScreenHeader } from './screen-header.tsx'

type ListScreenProps = ComponentProps<typeof ScreenHeader> & {
  /** Above the toolbar, such as figures. */
  summary?: ReactNode
  /** Beside toolbar and list. */
  panel?: ReactNode
  toolbar: ReactNode
  /** About values of the address that were refused. */
  notice: ComponentProps<typeof AddressNotice>
  children: ReactNode
}

/** The frame of a screen with a list: header, toolbar, notice about the address, rows. */
export function ListScreen(props: ListScreenProps) {
  const { summary, panel, toolbar, notice, children, ...header } = props
  const list = (
    <>
      {toolbar}
      <AddressNotice {...notice} />
      {children}
    </>
  )
  return (
    <>
      <ScreenHeader {...header} />
      {summary}
      {panel ? (
        <div className={classes.columns}>
          {panel}
          <div className={classes.list}>{list}</div>
        </div>
      ) : (
        list
      )}
    </>
  )
}
