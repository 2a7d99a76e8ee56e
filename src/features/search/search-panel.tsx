import { Button, CloseButton, Loader, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { counted } from '#domain/counted.ts'
import { openForm } from '#features/forms/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { type Choice, type ChoiceGroup, ChoiceLine, ChoiceList, optionId } from './choice-list.tsx'
import { type Command, matching } from './command.ts'
import { HitLine, pathOf } from './hit-line.tsx'
import { type Hit, useHits } from './queries.ts'
import classes from './search.module.css'

/** Long enough that a word typed in one go is one request. */
const pause = 150
const nothing: Hit[] = []

type SearchPanelProps = {
  commands: Command[]
  /** Closes the search, and then does what was chosen. */
  onChoose: (run: () => void) => void
  onClose: () => void
}

/** The field, and under it what was found and what can be done. */
export function SearchPanel({ commands, onChoose, onClose }: SearchPanelProps) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const search = useDebouncedCallback(setWords, pause)
  const { data: hits = nothing, error, isFetching, isPlaceholderData, refetch } = useHits(words)
  const isAnswered =
    typed.trim() === words && !isPlaceholderData && (hits !== nothing || !isFetching)
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  /** Enter came before the answer: what is found first is opened then. */
  const [isEntered, setIsEntered] = useState(false)

  const open = (hit: Hit) =>
    hit.kind === 'tasks' ? openForm({ form: 'task', task: hit.id }) : navigate(pathOf(hit))
  const hitChoice = (hit: Hit): Choice => ({
    key: hit.id,
    href: pathOf(hit),
    run: () => open(hit),
    content: <HitLine hit={hit} words={words} />,
  })
  const groups: ChoiceGroup[] = [
    {
      label: words === '' ? 'Recent' : 'Records',
      choices: hits.filter(({ rank }) => rank !== 4).map(hitChoice),
    },
    { label: 'Similar', choices: hits.filter(({ rank }) => rank === 4).map(hitChoice) },
    {
      label: 'Commands',
      choices: matching(commands, typed).map(({ name, icon, run }) => ({
        key: name,
        run,
        content: <ChoiceLine icon={icon} title={name} />,
      })),
    },
  ].filter(({ choices }) => choices.length > 0)
  const choices = groups.flatMap((group) => group.choices)
  // The best is one Enter away, until another is pointed at.
  const active = choices.find(({ key }) => key === pointedAt) ?? choices[0]

  function type(text: string): void {
    setTyped(text)
    setPointedAt(null)
    setIsEntered(false)
    search(text.trim())
  }
  function move(by: number): void {
    const place = active ? choices.indexOf(active) : -1
    const next = choices.at((place + by) % choices.length)
    if (next) setPointedAt(next.key)
  }
  function enter(event: KeyboardEvent): void {
    const isForTab = event.ctrlKey || event.metaKey
    if (isForTab && active?.href) window.open(active.href, '_blank', 'noopener')
    else if (active && (isAnswered || pointedAt !== null)) onChoose(active.run)
    else {
      search.flush()
      setIsEntered(true)
    }
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') enter(event)
    else return
    event.preventDefault()
  }
  const answer = useEffectEvent(() => {
    setIsEntered(false)
    if (active && !error) onChoose(active.run)
  })
  useEffect(() => {
    if (isEntered && isAnswered) answer()
  }, [isEntered, isAnswered])

  return (
    <>
      <div className={classes.field}>
        <TextInput
          ref={field}
          variant="unstyled"
          size="md"
          flex={1}
          role="combobox"
          aria-label="Search"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={active ? optionId(listId, active.key) : undefined}
          aria-autocomplete="list"
          placeholder="Search contacts, companies, deals and tasks..."
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          dir="auto"
          maxLength={200}
          leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
          rightSection={isFetching ? <Loader size={14} aria-hidden /> : null}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
        />
        <CloseButton className={classes.close ?? ''} aria-label="Close" onClick={onClose} />
      </div>
      {error && (
        <div role="alert" className={classes.message}>
          <span>{errorMessage(error)}</span>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              refetch()
              field.current?.focus()
            }}
          >
            Try again
          </Button>
        </div>
      )}
      {isAnswered && !error && hits.length === 0 && words !== '' && (
        <p className={classes.message}>Nothing found for “{words}”</p>
      )}
      <ChoiceList
        id={listId}
        groups={groups}
        activeKey={active?.key}
        onPoint={setPointedAt}
        onChoose={({ run }) => onChoose(run)}
      />
      <VisuallyHidden role="status">
        {isAnswered && !error && words !== '' && counted(hits.length, 'result')}
      </VisuallyHidden>
    </>
  )
}
