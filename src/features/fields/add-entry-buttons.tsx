import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { entriesOf, entryNouns, listsOf, mostEntries } from '#domain/fields/entries.ts'
import { type Fields, valueAt } from '#domain/fields/field.ts'
import classes from './entry-fields.module.css'
import { useEditedFocus } from './use-edited-focus.ts'

type AddEntryButtonsProps = {
  fields: Fields
  record: object
  /** The list to which one is being added. */
  adding: string | null
  onAdd: (list: string) => void
}

/** 'Add email', 'Add phone' and so on, below the details. */
export function AddEntryButtons({ fields, record, adding, onAdd }: AddEntryButtonsProps) {
  const { buttons } = useEditedFocus(adding)
  return (
    <div className={classes.buttons}>
      {listsOf(fields).map(([list, { kind }]) => (
        <Button
          key={list}
          ref={(button) => {
            buttons.current.set(list, button)
          }}
          variant="subtle"
          color="gray"
          px={8}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          disabled={entriesOf(valueAt(record, list)).length >= mostEntries}
          onClick={() => onAdd(list)}
        >
          {`Add ${entryNouns[kind].toLowerCase()}`}
        </Button>
      ))}
    </div>
  )
}
