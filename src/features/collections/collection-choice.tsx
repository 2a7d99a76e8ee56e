import { Combobox, useCombobox } from '@mantine/core'
import { IconFolderPlus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { exactMatch, foundByName } from '#domain/choices.ts'
import { shownNumber } from '#domain/figures.ts'
import { SelectionAction } from '#ui/selection-bar.tsx'
import classes from './collections.module.css'
import type { Collection } from './queries.ts'

type CollectionChoiceProps = {
  collections: Collection[]
  isLoading: boolean
  hasFailed: boolean
  onChoose: (collection: Collection) => void
  /** Called to create a collection with this name. */
  onCreate: (name: string) => void
}

const createValue = 'create'

/**
 * The button 'Add to collection' with a searchable list: Enter takes the first match, Tab only an exact one. Typed text
 * stays until a collection is chosen.
 */
export function CollectionChoice({
  collections,
  isLoading,
  hasFailed,
  onChoose,
  onCreate,
}: CollectionChoiceProps) {
  const [search, setSearch] = useState('')
  const [isEnterWaiting, setIsEnterWaiting] = useState(false)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose() {
      setIsEnterWaiting(false)
      combobox.resetSelectedOption()
      combobox.focusTarget()
    },
  })
  const { dropdownOpened: isOpen, selectFirstOption, resetSelectedOption } = combobox
  const typed = search.trim()
  const named = collections.map((collection) => ({ ...collection, label: collection.name }))
  const found = foundByName(named, typed)

  // Without typed text, Enter has no target.
  const rows = found.map(({ id }) => id).join()
  const takeFirst = useEffectEvent(() => {
    if (!isEnterWaiting) return
    setIsEnterWaiting(false)
    combobox.clickSelectedOption()
  })
  useEffect(() => {
    resetSelectedOption()
    if (!isOpen || !typed || isLoading) return
    // Without a match, the first option creates the collection.
    if (rows || !hasFailed) selectFirstOption()
    takeFirst()
  }, [isOpen, typed, isLoading, hasFailed, rows, selectFirstOption, resetSelectedOption])

  function choose(value: string): void {
    const collection = collections.find(({ id }) => id === value)
    setSearch('')
    combobox.closeDropdown()
    if (value === createValue) onCreate(typed)
    else if (collection) onChoose(collection)
  }

  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && typed && isLoading) setIsEnterWaiting(true)
    if (event.key === 'Escape') setSearch('')
    const exact = event.key === 'Tab' && exactMatch(named, typed)
    if (!exact) return
    event.preventDefault()
    choose(exact.id)
  }

  return (
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
          aria-expanded={isOpen}
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
            setIsEnterWaiting(false)
          }}
          onKeyDown={press}
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
                <span className={classes.count}>{shownNumber(contacts)}</span>
              </Combobox.Option>
            ))}
          </div>
          {found.length === 0 && (
            <Combobox.Empty>{emptyWords(isLoading, hasFailed)}</Combobox.Empty>
          )}
          <div className={classes.create} role="presentation">
            <Combobox.Option value={createValue} className={classes.option ?? ''}>
              <IconPlus size={16} stroke={1.5} aria-hidden />
              <span className={classes.name}>
                {typed ? `Create “${typed}”` : 'Create new collection'}
              </span>
            </Combobox.Option>
          </div>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function emptyWords(isLoading: boolean, hasFailed: boolean): string {
  if (isLoading) return 'Loading collections...'
  return hasFailed ? 'The collections could not be loaded.' : 'Nothing found'
}
