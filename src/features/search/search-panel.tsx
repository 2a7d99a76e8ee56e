import { Loader, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import { counted } from '#domain/counted.ts'
import { openForm } from '#features/forms/index.ts'
import { useKept } from '#features/kept/index.ts'
import { isPressed } from '#ui/shortcut.ts'
import { type Choice, ChoiceList, optionId } from './choice-list.tsx'
import type { Command } from './command.ts'
import { draft } from './draft.ts'
import { groupsOf } from './groups.tsx'
import { pathOf } from './hit-line.tsx'
import { type Hit, useHits } from './queries.ts'
import classes from './search.module.css'
import { SearchProblem } from './search-problem.tsx'
import { searchShortcuts } from './search-shortcuts.ts'
import { useQuickAdd } from './use-quick-add.ts'

/** The debounce in milliseconds: a word typed in one go is one request. */
const pause = 150
const nothing: Hit[] = []

type SearchPanelProps = {
  commands: Command[]
  /** Whether the field has the focus at the start. */
  isFocused: boolean
  /** What it contains at the start. */
  text: string
  /** Shown while nothing is typed; its arrow keys lead on to the field or the list. */
  above: (leaveTo: (to: 'field' | 'list') => void) => ReactNode
  /** The arrow keys lead from the field, or from the list, to what is between them. */
  onLeave: (from: 'field' | 'list') => void
  /** Closes the search, then runs the action. */
  onChoose: (run: () => void) => void
  onClose: () => void
}

/** The field with hits, commands and new records below it. */
export function SearchPanel(props: SearchPanelProps) {
  const { commands, isFocused, text: startText, above, onLeave, onChoose, onClose } = props
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const search = useDebouncedCallback(setWords, pause)
  const { data, error, isFetching, isPlaceholderData, refetch } = useHits(words)
  const found = data?.hits ?? nothing
  const { data: keptRecords } = useKept()
  const pinned = words === '' ? (keptRecords?.pinned ?? nothing) : nothing
  const hits = words === '' ? recentOnes(pinned, keptRecords?.opened ?? nothing, found) : found
  const kept = draft.useValue()
  const quick = useQuickAdd(words, () => {
    draft.set('')
    onClose()
  })
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  /** Enter was pressed before the answer: the first hit is opened when it arrives. */
  const [isEntered, setIsEntered] = useState(false)
  const isFound = !isPlaceholderData && (found !== nothing || !isFetching)
  const isAnswered = typed.trim() === words && isFound && !quick.isLoading
  /** A line that creates records shows no 'nothing found'. */
  const showsCount = isAnswered && !error && words !== '' && (hits.length > 0 || !quick.plan)

  const groups = groupsOf({
    ...quick,
    // A line is worth keeping, a word is typed again.
    kept: typed === '' && kept.trim().includes(' ') ? kept : '',
    onContinue: () => type(kept),
    // After an error it is unknown whether the record exists.
    plain: error ? [] : quick.plain,
    typed,
    words,
    foundFor: words === '' ? '' : (data?.words ?? words),
    pinned,
    hits,
    commands,
    onOpen: (hit) =>
      hit.kind === 'tasks' ? openForm({ form: 'task', task: hit.id }) : navigate(pathOf(hit)),
    onCreate: quick.create,
  })
  const choices = groups.flatMap((group) => group.choices)
  // Once something is typed, the first option is active until another is pointed at.
  const usual = typed === '' ? undefined : choices[0]
  const active = choices.find(({ key }) => key === pointedAt) ?? usual

  function type(text: string): void {
    setTyped(text)
    // An emptied field was emptied on purpose.
    draft.set(text)
    setPointedAt(null)
    setIsEntered(false)
    quick.forget()
    search(text.trim())
  }
  const typeAtStart = useEffectEvent(() => {
    if (startText !== '') type(startText)
  })
  useEffect(() => typeAtStart(), [])
  function choose({ run, takesTime }: Choice): void {
    if (takesTime) {
      run()
    } else {
      draft.set('')
      onChoose(run)
    }
  }
  function move(by: number): void {
    const place = active ? choices.indexOf(active) : -1
    if (typed === '' && (by > 0 ? place < 0 : place <= 0)) {
      setPointedAt(null)
      onLeave(by > 0 ? 'field' : 'list')
      return
    }
    const next = choices.at((place + by) % choices.length)
    if (next) setPointedAt(next.key)
  }
  function enter(event: KeyboardEvent): void {
    const isForTab = isPressed(event, searchShortcuts.inTab)
    if (isForTab && active?.href) window.open(active.href, '_blank', 'noopener')
    else if (active && (isAnswered || pointedAt !== null)) choose(active)
    else if (error && isAnswered) refetch()
    else {
      search.flush()
      setIsEntered(true)
    }
  }
  function leaveTo(to: 'field' | 'list'): void {
    field.current?.focus()
    setPointedAt(to === 'list' ? (choices[0]?.key ?? null) : null)
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (isPressed(event, searchShortcuts.next)) move(1)
    else if (isPressed(event, searchShortcuts.previous)) move(-1)
    else if (event.key === 'Enter') enter(event)
    else return
    event.preventDefault()
  }
  const answer = useEffectEvent(() => {
    setIsEntered(false)
    if (active && !active.isGuess && !error) choose(active)
  })
  useEffect(() => {
    if (isEntered && isAnswered) answer()
  }, [isEntered, isAnswered])
  function tryAgain(): void {
    if (quick.error) quick.retry()
    else refetch()
    field.current?.focus()
  }

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
          placeholder="Search, or create in one line..."
          data-autofocus={isFocused || undefined}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          dir="auto"
          maxLength={200}
          leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
          rightSection={isFetching || quick.isSaving ? <Loader size={14} aria-hidden /> : null}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
        />
      </div>
      {typed === '' && (
        <p className={classes.hint}>
          Create in one line: <kbd>call Anna Schmidt @Acme tue 3pm !high renewal $5k</kbd>
        </p>
      )}
      <SearchProblem searching={error} creating={quick.error} onRetry={tryAgain} />
      {quick.isUndecided && (
        <p className={classes.message}>
          <span className={classes.text}>
            You’re offline. Records are matched when the line is sent.
          </span>
        </p>
      )}
      {showsCount && hits.length === 0 && !groups.some(({ label }) => label === 'Commands') && (
        <p className={classes.message}>
          <span className={classes.text}>Nothing found for “{words}”</span>
        </p>
      )}
      <div className={classes.scroll}>
        {typed === '' && above(leaveTo)}
        <ChoiceList
          id={listId}
          groups={groups}
          activeKey={active?.key}
          onPoint={setPointedAt}
          onChoose={choose}
        />
      </div>
      <VisuallyHidden role="status">
        {quick.isSaving && 'Saving...'}
        {showsCount && counted(hits.length, 'result')}
        {isAnswered && quick.plan && ' Can be created in one line'}
      </VisuallyHidden>
    </>
  )
}

/** What was opened last, then what was changed last; the pinned ones have a place of their own. */
function recentOnes(pinned: Hit[], opened: Hit[], changed: Hit[]): Hit[] {
  const seen = new Set(pinned.map(({ id }) => id))
  const recent = [...opened, ...changed].filter(({ id }) => !seen.has(id) && seen.add(id))
  return recent.slice(0, 8)
}
