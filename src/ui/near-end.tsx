import { useEffect, useRef } from 'react'

type NearEndProps = {
  /** Called when the end comes near; a new function is called anew. */
  onNear: () => void
}

/** Stands at the end of a list that is read as one scrolls. */
export function NearEnd({ onNear }: NearEndProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        // The last is how it is now.
        if (entries.at(-1)?.isIntersecting) onNear()
      },
      { rootMargin: '0px 0px 800px 0px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onNear])
  return <div ref={element} aria-hidden />
}
