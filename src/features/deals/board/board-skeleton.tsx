import { Skeleton, Text } from '@mantine/core'
import { usePlace } from '#ui/kept-place.ts'
import classes from './deal-board.module.css'

/** Placeholders while the board loads. */
export function BoardSkeleton({ stages }: { stages: number }) {
  const { element, top } = usePlace<HTMLDivElement>()
  return (
    <div role="status" className={classes.frame}>
      <Text size="sm" c="dimmed" className={classes.loading ?? ''}>
        Loading deals...
      </Text>
      <div
        ref={element}
        aria-hidden
        className={classes.board}
        style={{ height: `max(360px, calc(100dvh - ${top}px))` }}
      >
        {Array.from({ length: Math.max(stages, 1) }, (_, index) => `column ${index}`).map((key) => (
          <Skeleton key={key} className={classes.skeleton ?? ''} height="100%" radius="md" />
        ))}
      </div>
    </div>
  )
}
