import { type ReactNode, type RefObject, useRef, useState } from 'react'
import classes from './unfolding.module.css'

type Preloaded = { preload: () => Promise<boolean> }

/** What the button needs to unfold something. */
type ButtonProps = {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'menu' | 'dialog'
  'aria-expanded': boolean
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
  onMouseDown: ((event: { stopPropagation: () => void }) => void) | undefined
  onTouchStart: ((event: { stopPropagation: () => void }) => void) | undefined
}

type UnfoldingProps = {
  popup: 'menu' | 'dialog'
  /** The code of what is unfolded: fetched when the user points at the button, at the latest when it is pressed. */
  parts?: Preloaded[]
  className?: string | undefined
  button: (props: ButtonProps) => ReactNode
  /** What is unfolded, mounted while it is open: see `unfolded.tsx`. */
  children: (close: () => void) => ReactNode
}

/**
 * A button and the menu or panel that it unfolds, which is mounted when it is opened: a closed one costs more than the
 * rest of a row, and its code more than that of a list.
 */
export function Unfolding({ popup, parts = [], className, button, children }: UnfoldingProps) {
  const [isOpen, setIsOpen] = useState(false)
  const element = useRef<HTMLButtonElement>(null)
  const preload = () => Promise.all(parts.map((part) => part.preload()))
  // It closes on a press outside, which includes the button; the click must not open it again.
  const stay = isOpen
    ? (event: { stopPropagation: () => void }) => event.stopPropagation()
    : undefined
  function close(): void {
    setIsOpen(false)
    element.current?.focus({ preventScroll: true })
  }
  async function open(): Promise<void> {
    // With all that it shows, because the focus goes to the first of it. What could not be fetched is told once open.
    await preload()
    setIsOpen(true)
  }
  return (
    <div className={className ? `${classes.place} ${className}` : classes.place}>
      {button({
        ref: element,
        'aria-haspopup': popup,
        'aria-expanded': isOpen,
        onClick: () => (isOpen ? close() : void open()),
        onPointerEnter: preload,
        onFocus: preload,
        onMouseDown: stay,
        onTouchStart: stay,
      })}
      {isOpen && children(close)}
    </div>
  )
}
