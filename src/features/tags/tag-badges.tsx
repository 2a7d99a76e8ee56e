import { tagHue } from '#domain/tags.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './tags.module.css'

type TagBadgesProps = {
  tags: readonly string[]
  /** Cuts what does not fit instead of taking another line. */
  isInLine?: boolean
}

/** Tags, each in its hue. */
export function TagBadges({ tags, isInLine = false }: TagBadgesProps) {
  return (
    <span
      className={classes.badges}
      data-line={isInLine || undefined}
      title={isInLine ? tags.join(', ') : undefined}
    >
      {tags.map((tag) => (
        <TintBadge key={tag} color={tagHue(tag)} isAsTyped>
          {tag}
        </TintBadge>
      ))}
    </span>
  )
}
