import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

type SearchFieldProps = {
  /** What is being searched for: what was told last, at once, or what came from elsewhere. */
  value: string
  placeholder: string
  /** Called when the user pauses, or goes on to something else. */
  onSearch: (text: string) => void
  pauseMs?: number
  className?: string
}

/** A search that follows the typing, one step a pause. */
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

  // Only a value that did not come from here, such as that of Back, replaces what is being typed.
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
      // Not type=search, whose own cross differs from browser to browser.
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
      // A step that waits is taken first: it could otherwise come after a way to another screen was chosen.
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
