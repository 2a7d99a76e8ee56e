import { RecordSelect } from '#ui/record-select.tsx'
import { useDealChoices } from './queries.ts'

type DealSelectProps = {
  label?: string
  placeholder?: string
  chosen: { id: string; name: string } | null
  onChoose: (deal: { id: string; name: string } | null) => void
  error?: string | undefined
  isInPopover?: boolean
  isFilter?: boolean
}

/** The field that chooses a deal. */
export function DealSelect({
  label = 'Deal',
  placeholder = 'No deal',
  chosen,
  onChoose,
  error,
  isInPopover = false,
  isFilter = false,
}: DealSelectProps) {
  return (
    <RecordSelect
      label={label}
      name="deal_id"
      placeholder={placeholder}
      chosen={chosen && { id: chosen.id, label: chosen.name }}
      onChoose={(choice) => onChoose(choice && { id: choice.id, name: choice.label })}
      useChoices={useDealChoices}
      error={error}
      isFilter={isFilter}
      {...(isInPopover ? { comboboxProps: { withinPortal: false, shadow: 'md' } } : {})}
    />
  )
}
