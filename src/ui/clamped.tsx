import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import classes from './clamped.module.css'

type ClampedProps = { children: ReactNode }

/** Shows the beginning of a long text, and the rest on demand. */
export function Clamped({ children }: ClampedProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isLong, setIsLong] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || isOpen) return
    const measure = () => setIsLong(element.scrollHeight > element.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    // Open when a link in the hidden part gets the focus.
    const open = () => setIsOpen(true)
    element.addEventListener('focusin', open)
    return () => {
      observer.disconnect()
      element.removeEventListener('focusin', open)
    }
  }, [isOpen])
  return (
    <>
      <div
        ref={box}
        className={isOpen ? undefined : classes.clamped}
        data-long={isLong || undefined}
      >
        <div>{children}</div>
      </div>
      {isLong && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  )
}
