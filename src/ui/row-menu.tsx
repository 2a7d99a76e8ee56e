import type { ReactNode } from 'react'
import { type Unfolded, UnfoldedMenu } from './unfolded.tsx'

type RowMenuProps = Unfolded & { width?: number | 'max-content'; children: ReactNode }

/** The menu of a `MenuButton`. */
export function RowMenu({ width = 200, children, ...menu }: RowMenuProps) {
  return (
    <UnfoldedMenu
      position="bottom-end"
      width={width}
      // Inside the main landmark, but outside of the scrolling element.
      withinPortal
      portalProps={{ target: '#main' }}
      {...menu}
    >
      {children}
    </UnfoldedMenu>
  )
}
