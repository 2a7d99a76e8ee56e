import { ActionIcon } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './search-field.module.css'

type SearchFieldProps = {
  /** The current search, from this field or from elsewhere, such as Back. */
  value: string
  placeholder: string
  /** Called when the user pauses, or leaves the field. */
  onSearch: (text: string) => void
  pauseMs?: number
  className?: string
}

/** A search field that searches after each pause in typing. */
export function SearchField({
  value,
  placeholder,
  onSearch,
  pauseMs = 150,
  className = '',
}: SearchFieldProps) {
  const [text, setText] = useState(value)
  const searched = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)

  // Only a value from elsewhere, such as Back, replaces the typed text.
  useEffect(() => {
    if (value === searched.current) return
    clearTimeout(timer.current)
    searched.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function search(next: string): void {
    clearTimeout(timer.current)
    if (next === searched.current) return
    searched.current = next
    onSearch(next)
  }

  function type(next: string): void {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(next.trim()), pauseMs)
  }

  function clear(): void {
    setText('')
    search('')
    input.current?.focus()
  }

  return (
    <div className={`${classes.field} ${className}`}>
      <IconSearch className={classes.icon} size={16} stroke={1.5} aria-hidden />
      <input
        ref={input}
        // The browsers' own buttons to clear it differ: the style hides them.
        type="search"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        aria-label={placeholder.replace(/\.+$/, '')}
        className={classes.input}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        // Search at once: a delayed search could run after a link to another screen was pressed.
        onBlur={() => search(text.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text.trim())
          if (event.key === 'Escape' && text) clear()
        }}
      />
      {text && (
        <ActionIcon
          className={classes.clear ?? ''}
          size="calc(var(--solo-control-height) - 8px)"
          aria-label="Clear search"
          onClick={clear}
          tabIndex={-1}
        >
          <IconX size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
