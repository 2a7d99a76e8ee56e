import type { Field } from '#domain/fields/field.ts'
import { chosenOf } from '#domain/fields/kinds.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './option-badges.module.css'

type OptionBadgesProps = {
  field: Field
  /** The id of an option, or of several. */
  value: unknown
  /** Cuts what does not fit instead of taking another line. */
  isInLine?: boolean
}

/** The options that are chosen, each in its hue. */
export function OptionBadges({ field, value, isInLine = false }: OptionBadgesProps) {
  const chosen = chosenOf(field, Array.isArray(value) ? value : [value])
  const names = chosen.map((id) => field.choiceNames?.[id] ?? id)
  return (
    <span
      className={classes.badges}
      data-line={isInLine || undefined}
      title={isInLine ? names.join(', ') : undefined}
    >
      {chosen.map((id, place) => (
        <TintBadge key={id} color={field.choiceColors?.[id] ?? 'gray'} isAsTyped>
          {names[place] ?? id}
        </TintBadge>
      ))}
    </span>
  )
}

export function NoOption() {
  return <span className={classes.none}>Empty</span>
}
