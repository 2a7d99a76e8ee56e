import { useEffect, useRef } from 'react'

type NearEndProps = {
  /** Called when the end comes into reach; a new function is called again. */
  onNear: () => void
}

/** Placed at the end of a list to load the next page. */
export function NearEnd({ onNear }: NearEndProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        // The last entry is the current state.
        if (entries.at(-1)?.isIntersecting) onNear()
      },
      { rootMargin: '0px 0px 800px 0px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onNear])
  return <div ref={element} aria-hidden />
}
