import { Pill, TagsInput } from '@mantine/core'
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useState,
} from 'react'
import { isSameTag, knownSpelling, tagHue, tagsIn, tagsOf } from '#domain/tags.ts'
import { useTagNames } from './queries.ts'
import { TagBadges } from './tag-badges.tsx'
import classes from './tag-input.module.css'

type TagInputProps = {
  value: readonly string[]
  /** Called at each keystroke: unfinished text counts as a tag already, so that saving never drops it. */
  onChange: (tags: string[]) => void
  label?: string
  'aria-label'?: string
  name?: string
  description?: string
  error?: ReactNode
  'data-autofocus'?: boolean
  autoFocus?: boolean
  onFocus?: (event: FocusEvent<HTMLInputElement>) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
}

type Typed = { tags: string[]; text: string; told: readonly string[] }

/** The keys that end a tag, as these signs part tags in the database. */
const partedBy = [',', ';', '|']

/**
 * Types tags: suggests those that there are, makes new ones by Enter, a comma or leaving the field, takes the last one
 * away by Backspace, and takes several that are pasted.
 */
export function TagInput({ value, onChange, ...rest }: TagInputProps) {
  const [isFocused, setIsFocused] = useState(false)
  const known = useTagNames(isFocused)
  const [typed, setTyped] = useState<Typed>(() => ({ tags: [...value], text: '', told: value }))
  // Changed from outside, such as when the form is filled anew.
  const isTold = value.join('\n') === typed.told.join('\n')
  const { tags, text } = isTold ? typed : { tags: [...value], text: '' }

  function tell(nextTags: readonly string[], nextText: string): void {
    const kept = spelt(nextTags, known)
    const told = spelt([...kept, ...tagsIn(nextText)], known)
    setTyped({ tags: kept, text: nextText, told })
    onChange(told)
  }

  /** Ends a tag in place of Mantine, which would call `onChange` twice, the second time without the typed tag. */
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    rest.onKeyDown?.(event)
    if (event.defaultPrevented || event.nativeEvent.isComposing || text.trim() === '') return
    // Enter takes the suggestion that the arrows have reached.
    const isSuggestion = event.currentTarget.hasAttribute('aria-activedescendant')
    if (!partedBy.includes(event.key) && (event.key !== 'Enter' || isSuggestion)) return
    event.preventDefault()
    tell([...tags, ...tagsIn(text)], '')
  }

  function paste(event: ClipboardEvent<HTMLInputElement>): void {
    const pasted = event.clipboardData.getData('text/plain')
    const { selectionStart, selectionEnd } = event.currentTarget
    // A word goes where the caret is, as everywhere. Nothing is pasted beside what is done here.
    const [from, to] = [selectionStart ?? text.length, selectionEnd ?? text.length]
    const whole = `${text.slice(0, from)}${pasted}${text.slice(to)}`
    if (/[;,|\n]/.test(pasted)) tell([...tags, ...tagsIn(whole)], '')
    else tell(tags, whole)
  }

  return (
    <TagsInput
      {...rest}
      data={known.filter((name) => !tags.some((tag) => isSameTag(tag, name)))}
      limit={20}
      value={tags}
      searchValue={text}
      onSearchChange={(next) => {
        if (next !== text) tell(tags, next)
      }}
      onChange={(next) => tell(next, '')}
      onKeyDown={press}
      // What is typed is told already.
      acceptValueOnBlur={false}
      onPasteCapture={(event) => {
        event.preventDefault()
        event.stopPropagation()
        paste(event)
      }}
      onFocus={(event) => {
        setIsFocused(true)
        rest.onFocus?.(event)
      }}
      onBlur={(event) => {
        if (text.trim() !== '') tell([...tags, ...tagsIn(text)], '')
        rest.onBlur?.(event)
      }}
      placeholder={tags.length > 0 ? '' : 'Add tags'}
      renderOption={({ option }) => <TagBadges tags={[option.value]} />}
      renderPill={({ value: tag = '', onRemove }) => (
        <Pill
          withRemoveButton
          onRemove={() => onRemove?.()}
          removeButtonProps={{ 'aria-label': `Remove ${tag}`, 'aria-hidden': false }}
          className={classes.pill ?? ''}
          style={tint(tag)}
        >
          {tag}
        </Pill>
      )}
      classNames={{ inputField: classes.field ?? '' }}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

function spelt(tags: readonly string[], known: readonly string[]): string[] {
  return tagsOf(tags.flatMap(tagsIn).map((tag) => knownSpelling(tag, known)))
}

function tint(tag: string) {
  const color = tagHue(tag)
  return {
    '--tint': `var(--mantine-color-${color}-6)`,
    '--tint-dark': `var(--mantine-color-${color}-9)`,
    '--tint-bright': `var(--mantine-color-${color}-3)`,
  }
}
