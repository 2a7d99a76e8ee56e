import { MultiSelect } from '@mantine/core'
import { hasTag, tagHue } from '#domain/tags.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import { useTagNames } from './queries.ts'

type TagFilterProps = {
  label: string
  value: string[]
  onChange: (tags: string[]) => void
}

/** Chooses tags of the account that a list is filtered by. */
export function TagFilter({ label, value, onChange }: TagFilterProps) {
  const known = useTagNames()
  // What the address asks for stays choosable, whether or not there is any left.
  const data = [...known.filter((name) => !hasTag(value, name)), ...value]
  return (
    <MultiSelect
      label={label}
      placeholder={value.length > 0 ? '' : 'Any'}
      data={data}
      value={value}
      onChange={onChange}
      hidePickedOptions
      searchable
      selectFirstOptionOnChange
      maxValues={50}
      limit={50}
      nothingFoundMessage={known.length > 0 ? 'Nothing found' : 'No tags yet'}
      renderOption={({ option }) => (
        <TintBadge color={tagHue(option.value)} isAsTyped>
          {option.value}
        </TintBadge>
      )}
      comboboxProps={{ withinPortal: false, shadow: 'md' }}
    />
  )
}
