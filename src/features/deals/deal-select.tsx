import { LinkSelect, type LinkSelectProps } from '#features/fields/index.ts'
import { useDealChoices } from './queries.ts'

/** A field that chooses a deal by search. */
export function DealSelect(props: LinkSelectProps) {
  return (
    <LinkSelect
      label="Deal"
      placeholder="No deal"
      name="deal_id"
      useChoices={useDealChoices}
      {...props}
    />
  )
}
