import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

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
    <TextInput
      ref={input}
      // Not type=search, whose clear button differs between browsers.
      type="text"
      role="searchbox"
      inputMode="search"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      placeholder={placeholder}
      aria-label={placeholder.replace(/\.+$/, '')}
      className={className}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      // Search at once: a delayed search could run after a link to another screen was pressed.
      onBlur={() => search(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(text.trim())
        if (event.key === 'Escape' && text) clear()
      }}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      rightSection={
        text && <CloseButton size="sm" aria-label="Clear search" onClick={clear} tabIndex={-1} />
      }
    />
  )
}
