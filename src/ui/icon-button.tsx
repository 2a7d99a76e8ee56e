import type { ComponentProps } from 'react'
import classes from './icon-button.module.css'

type IconButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  'aria-label': string
  /** For a mouse alone: it does not grow for fingers. */
  isSmall?: boolean
}

/** A button that is an icon. Plain markup, because a row of a table has up to ten of them. */
export function IconButton({ isSmall, className, ...props }: IconButtonProps) {
  const own = `${classes.button} mantine-focus-auto mantine-active`
  return (
    <button
      type="button"
      className={className ? `${own} ${className}` : own}
      data-small={isSmall || undefined}
      {...props}
    />
  )
}
