import { Box } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Fragment, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import classes from './search.module.css'

/** One line that can be chosen. */
export type Choice = {
  key: string
  /** The address; with a modifier key it opens in a new tab. */
  href?: string
  run: () => void
  /** The action is asynchronous and may fail: the search stays open until it is done. */
  takesTime?: boolean
  /** An Enter that was pressed before the answer must not choose it. */
  isGuess?: boolean
  content: ReactNode
}

export type ChoiceGroup = { label: string; choices: Choice[] }

type ChoiceListProps = {
  id: string
  groups: ChoiceGroup[]
  activeKey: string | undefined
  onPoint: (key: string) => void
  onChoose: (choice: Choice) => void
}

/** The DOM id of an option, for aria-activedescendant. */
export const optionId = (listId: string, key: string) => `${listId}-${key.replaceAll(/\W/g, '-')}`

/** The options under headings. The focus stays in the field above. */
export function ChoiceList({ id, groups, activeKey, onPoint, onChoose }: ChoiceListProps) {
  const list = useRef<HTMLDivElement>(null)
  const firstKey = groups[0]?.choices[0]?.key
  useEffect(() => {
    // Scroll to the top, so that the first heading shows too.
    if (activeKey === firstKey) list.current?.parentElement?.scrollTo({ top: 0 })
    else if (activeKey) {
      document.getElementById(optionId(id, activeKey))?.scrollIntoView({ block: 'nearest' })
    }
  }, [id, activeKey, firstKey])
  return (
    <div ref={list} id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ label, choices }) => (
        <Box key={label} role="group" aria-label={label}>
          <div className={classes.heading} aria-hidden>
            {label}
          </div>
          {choices.map((choice) => (
            <Option
              key={choice.key}
              id={optionId(id, choice.key)}
              choice={choice}
              isActive={choice.key === activeKey}
              onPoint={onPoint}
              onChoose={onChoose}
            />
          ))}
        </Box>
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  choice: Choice
  isActive: boolean
} & Pick<ChoiceListProps, 'onPoint' | 'onChoose'>

function Option({ id, choice, isActive, onPoint, onChoose }: OptionProps) {
  const common = {
    id,
    role: 'option',
    'aria-selected': isActive,
    tabIndex: -1,
    className: classes.option,
    // Only on pointer moves: scrolling must not change the active option.
    onPointerMove: () => isActive || onPoint(choice.key),
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick(event: MouseEvent) {
      if (choice.href && (event.ctrlKey || event.metaKey || event.shiftKey)) return
      event.preventDefault()
      onChoose(choice)
    },
  } as const
  return choice.href ? (
    <a href={choice.href} {...common}>
      {choice.content}
    </a>
  ) : (
    <div {...common}>{choice.content}</div>
  )
}

type ChoiceLineProps = {
  icon: Icon
  title: ReactNode
  /** Distinguishing facts; empty ones are left out. */
  facts?: (string | null | undefined | false)[]
  /** Renders a fact. */
  show?: (fact: string) => ReactNode
  kind?: ReactNode
}

/** The content of an option. */
export function ChoiceLine(props: ChoiceLineProps) {
  const { icon: LineIcon, title, facts = [], show = (fact) => fact, kind } = props
  return (
    <span className={classes.line}>
      <LineIcon size={18} stroke={1.5} className={classes.icon} aria-hidden />
      <span className={classes.texts}>
        <span className={classes.title}>
          <bdi>{title}</bdi>
        </span>
        <span className={classes.facts}>
          {[...new Set(facts.flatMap((fact) => fact || []))].map((fact, place) => (
            <Fragment key={fact}>
              {place > 0 && ' · '}
              <bdi>{show(fact)}</bdi>
            </Fragment>
          ))}
        </span>
      </span>
      {kind && <span className={classes.kind}>{kind}</span>}
    </span>
  )
}
