import { Drawer, Kbd } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { openForm, useOpenForm } from '#features/forms/index.ts'
import { type Command, SearchPanel } from '#features/search/index.ts'
import { isPressed } from '#ui/shortcut.ts'
import { useFocusBack } from '#ui/use-focus-back.ts'
import classes from './quick-actions.module.css'
import { type QuickAction, quickActions } from './quick-actions.ts'
import { QuickActionsCards } from './quick-actions-cards.tsx'

export type QuickActionsDrawerProps = {
  isOpen: boolean
  /** The user wants to type: the field has the focus, on a touch screen too. */
  isForSearch: boolean
  /** What the field contains at the start. */
  text: string
  commands: Command[]
  onClose: () => void
}

/** A field that finds, runs and creates, and five things one does most, each with a key of its own. */
export function QuickActionsDrawer(props: QuickActionsDrawerProps) {
  const { isOpen, isForSearch, text, commands, onClose } = props
  const navigate = useNavigate()
  const { request } = useOpenForm()
  const isCovered = request !== null
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false })
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (isOpen) opener.current = document.activeElement
  }, [isOpen])

  function close(): void {
    onClose()
    // Restore the focus at once, so that a form that is opened next remembers it.
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  function run(action: QuickAction): void {
    if ('form' in action) {
      openForm({ form: action.form, onSaved: close })
    } else {
      close()
      navigate(action.path)
    }
  }
  function press(event: KeyboardEvent): void {
    const { target } = event
    const isField = target instanceof HTMLInputElement
    if (isCovered || (isField && target.value !== '')) return
    const action = quickActions.find(({ shortcut }) => isPressed(event, shortcut))
    if (action) {
      event.preventDefault()
      run(action)
    } else if (!isField && /^[^\s]$/.test(event.key) && !event.ctrlKey && !event.metaKey) {
      // Whoever types while a card has the focus means the field.
      event.currentTarget.querySelector('input')?.focus()
    }
  }
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      title="Quick Actions"
      position="right"
      size={isNarrow ? '100%' : 520}
      // As what is below the title.
      padding="md"
      // Not while a form is open over it.
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      // Mantine would return the focus to the form that was open over it.
      returnFocus={false}
      onKeyDown={press}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <Content
        commands={commands}
        isTyping={isForSearch || !isTouch}
        text={text}
        onRun={run}
        onClose={close}
      />
    </Drawer>
  )
}

type ContentProps = {
  commands: Command[]
  /** Whether the field has the focus at the start. */
  isTyping: boolean
  text: string
  onRun: (action: QuickAction) => void
  onClose: () => void
}

function Content({ commands, isTyping, text, onRun, onClose }: ContentProps) {
  useFocusBack()
  const cards = useRef<HTMLDivElement>(null)
  return (
    <>
      <SearchPanel
        commands={commands}
        isFocused={isTyping}
        text={text}
        onChoose={(run) => {
          onClose()
          run()
        }}
        onClose={onClose}
        onLeave={(from) => {
          const buttons = cards.current?.querySelectorAll('button')
          buttons?.[from === 'field' ? 0 : buttons.length - 1]?.focus()
        }}
        above={(leaveTo) => (
          <QuickActionsCards ref={cards} isFirst={!isTyping} onRun={onRun} onLeave={leaveTo} />
        )}
      />
      <p className={classes.foot} aria-hidden>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move
        </span>
        <span>
          <Kbd size="xs">Enter</Kbd> to choose
        </span>
        <span>
          <Kbd size="xs">Esc</Kbd> to close
        </span>
      </p>
    </>
  )
}
