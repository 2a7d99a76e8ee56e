import { Button } from '@mantine/core'
import { shownNumber } from '#domain/figures.ts'
import { RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { useDeclineSuggestion, useSuggestions, useTakeSuggestion } from '../queries.ts'
import { useHasMail } from './queries.ts'

const few = 3

/** Who was written to twice and is no contact; nothing where there is nobody. */
export function PeopleWrittenTo() {
  const { hasMail } = useHasMail()
  const { data: people } = useSuggestions({ isEnabled: hasMail })
  const take = useTakeSuggestion()
  const decline = useDeclineSuggestion()
  if (!people || people.length === 0) return null
  const shown = people.slice(0, few).map((person) => ({ ...person, id: person.address }))
  return (
    <RecordSection title="People you write to" count={shownNumber(people.length)}>
      <RecordLines
        rows={shown}
        renderLine={({ address, name }) => (
          <RecordLine
            name={name ?? address}
            about={name ? address : 'Not a contact yet'}
            badge={
              <>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Add contact ${name ?? address}`}
                  loading={take.isPending && take.variables.address === address}
                  onClick={() => take.mutate({ address, name })}
                >
                  Add
                </Button>
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  aria-label={`Never add ${name ?? address}`}
                  onClick={() => decline.mutate(address)}
                >
                  Never
                </Button>
              </>
            }
          />
        )}
      />
    </RecordSection>
  )
}
