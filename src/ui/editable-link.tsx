import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import classes from './editable-link.module.css'
import { FieldRow } from './field-row.tsx'
import { TextInside } from './use-leave-question.ts'

type Chooser = {
  close: () => void
  /** Called when the form of a new record opens over the chooser, and when it closes. */
  onCovered: (isCovered: boolean) => void
}

type EditableLinkProps = {
  label: string
  linked: { to: string; name: string } | null
  addLabel: string
  renderChooser: (chooser: Chooser) => ReactNode
}

/** A linked record: a link to its page, and a chooser for another. */
export function EditableLink({ label, linked, addLabel, renderChooser }: EditableLinkProps) {
  const [isChoosing, setIsChoosing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const isToFocus = useRef(false)
  // After a choice, the new link replaces the button that had the focus.
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (!isChoosing && isToFocus.current && isLost) opener.current?.focus()
  })
  const leave = useCallback(() => setIsChoosing(false), [])
  const close = useCallback(() => {
    isToFocus.current = true
    setIsChoosing(false)
  }, [])

  if (isChoosing) {
    return (
      <FieldRow label={label}>
        <ChooserBox close={close} leave={leave} renderChooser={renderChooser} />
      </FieldRow>
    )
  }
  const way = {
    ref: opener,
    onClick: () => setIsChoosing(true),
    // React sends no blur for an element that it removes, so this is the user leaving.
    onBlur() {
      isToFocus.current = false
    },
  }
  return (
    <FieldRow label={label}>
      {linked ? (
        <div className={classes.value}>
          <Link to={linked.to} className={classes.link} title={linked.name}>
            <bdi>{linked.name}</bdi>
          </Link>
          <ActionIcon
            {...way}
            className={classes.action ?? ''}
            aria-label={`Edit ${label}`}
            title="Edit"
          >
            <IconPencil size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </div>
      ) : (
        <Button
          {...way}
          variant="subtle"
          px={8}
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
        >
          {addLabel}
        </Button>
      )}
    </FieldRow>
  )
}

type ChooserBoxProps = {
  close: () => void
  leave: () => void
  renderChooser: EditableLinkProps['renderChooser']
}

function ChooserBox({ close, leave, renderChooser }: ChooserBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const isCovered = useRef(false)
  const [inside] = useState(() => new Set<object>())
  useEffect(() => {
    const element = box.current
    const input = element?.querySelector('input')
    input?.focus()
    input?.click()
    // Losing the focus closes the chooser, unless it holds typed text or the form of a new record is open.
    const lookAway = (event: FocusEvent) => {
      const isInside = event.relatedTarget instanceof Node && element?.contains(event.relatedTarget)
      if (!isInside && !isCovered.current && inside.size === 0) leave()
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isCovered.current) close()
    }
    element?.addEventListener('focusout', lookAway)
    element?.addEventListener('keydown', press)
    return () => {
      element?.removeEventListener('focusout', lookAway)
      element?.removeEventListener('keydown', press)
    }
  }, [close, leave, inside])
  return (
    <div ref={box} className={classes.chooser}>
      <TextInside value={inside}>
        {renderChooser({
          close,
          onCovered(isNow) {
            isCovered.current = isNow
          },
        })}
      </TextInside>
    </div>
  )
}
