import type { KeyboardEventHandler, ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { Unfolding } from './unfolding.tsx'

type MenuButtonProps = {
  label: string
  title: string
  icon: ReactNode
  /** The code of the menu, where it is loaded when it is needed. */
  part?: { preload: () => Promise<boolean> }
  /** A `RowMenu`. */
  children: (menu: { label: string; onClose: () => void }) => ReactNode
  className?: string | undefined
  onPointerEnter?: (() => void) | undefined
  onKeyDown?: KeyboardEventHandler
  onBlur?: () => void
  'aria-describedby'?: string
  'aria-pressed'?: boolean
  'data-handle'?: string
}

/** An icon that unfolds a menu. */
export function MenuButton(props: MenuButtonProps) {
  const { label, title, icon, part, children, className, onPointerEnter, ...rest } = props
  return (
    <Unfolding
      popup="menu"
      parts={part ? [part] : []}
      button={(button) => (
        <IconButton
          aria-label={label}
          title={title}
          className={className ?? ''}
          {...button}
          {...rest}
          onPointerEnter={() => {
            button.onPointerEnter()
            onPointerEnter?.()
          }}
        >
          {icon}
        </IconButton>
      )}
    >
      {(onClose) => children({ label, onClose })}
    </Unfolding>
  )
}
