import { Combobox, useCombobox } from '@mantine/core'
import { IconFolderPlus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { plainWords } from '#domain/plain-words.ts'
import { SelectionAction } from '#ui/selection-bar.tsx'
import classes from './collections.module.css'
import { CreateCollectionDialog } from './create-collection-dialog.tsx'
import { useAddToCollection, useCollections } from './queries.ts'

type AddToCollectionMenuProps = {
  filter: ContactFilter
  count: number
  /** Contacts came or went, by the write or by its Undo: lists of them are to be read again. */
  onDone?: () => void
}

const createValue = 'create'

/** 'Add to collection': a list of the collections to search in and choose from. */
export function AddToCollectionMenu({ filter, count, onDone }: AddToCollectionMenuProps) {
  const { rows, isLoading } = useCollections()
  const add = useAddToCollection(onDone)
  const [search, setSearch] = useState('')
  const [newName, setNewName] = useState<string | null>(null)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose() {
      setSearch('')
      combobox.resetSelectedOption()
      combobox.focusTarget()
    },
  })
  const words = plainWords(search)
  const found = rows.filter(({ name }) => plainWords(name).includes(words))

  function choose(value: string): void {
    const collection = rows.find(({ id }) => id === value)
    combobox.closeDropdown()
    if (value === createValue) setNewName(search.trim())
    // A failure has been told, and the numbers are right again.
    else if (collection) add({ collection, filter, count }).catch(() => {})
  }

  return (
    <>
      <Combobox
        store={combobox}
        width={280}
        position="top-start"
        shadow="md"
        withinPortal={false}
        onOptionSubmit={choose}
      >
        <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
          <SelectionAction
            icon={IconFolderPlus}
            aria-haspopup="listbox"
            aria-expanded={combobox.dropdownOpened}
            onClick={() => combobox.toggleDropdown()}
          >
            Add to collection
          </SelectionAction>
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              combobox.updateSelectedOptionIndex()
            }}
            placeholder="Search collections..."
            aria-label="Search collections"
          />
          <Combobox.Options aria-label="Collections">
            <div className={classes.found} role="presentation">
              {found.map(({ id, name, contacts }) => (
                <Combobox.Option key={id} value={id} className={classes.option ?? ''}>
                  <span className={classes.name} title={name}>
                    <bdi>{name}</bdi>
                  </span>
                  <span className={classes.count}>{contacts.toLocaleString('en-US')}</span>
                </Combobox.Option>
              ))}
            </div>
            {found.length === 0 && (
              <Combobox.Empty>
                {isLoading ? 'Loading collections...' : 'Nothing found'}
              </Combobox.Empty>
            )}
            <div className={classes.create} role="presentation">
              <Combobox.Option value={createValue} className={classes.option ?? ''}>
                <IconPlus size={16} stroke={1.5} aria-hidden />
                <span className={classes.name}>
                  {words ? `Create “${search.trim()}”` : 'Create new collection'}
                </span>
              </Combobox.Option>
            </div>
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {newName !== null && (
        <CreateCollectionDialog
          filter={filter}
          count={count}
          name={newName}
          onClose={() => setNewName(null)}
          {...(onDone ? { onDone } : {})}
        />
      )}
    </>
  )
}
