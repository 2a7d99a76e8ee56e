import { ActionIcon, Button, Textarea, TextInput, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { KeyboardEvent, Ref } from 'react'
import { useCellEditing } from './cell-editing.ts'
import { Clamped } from './clamped.tsx'
import { CopyButton } from './copy-button.tsx'
import classes from './editable-field.module.css'
import { FieldRow } from './field-row.tsx'
import { useFieldEdit } from './use-field-edit.ts'

type EditableFieldProps = {
  label: string
  value: string
  check: (text: string) => string | null
  save: (text: string) => Promise<{ theirs: string } | null>
  /** Called when the user takes the other window's version. */
  onTakeTheirs: () => void
  /** The link of the value; null where it is no address. */
  href?: string | null
  /** The formatted value, where it differs from the text to edit. */
  shown?: string
  /** Shown for an empty value. */
  empty?: string
  /** Shows the value in red, such as a date that has passed. */
  isAlarming?: boolean
  type?: 'text' | 'email' | 'tel' | 'url' | 'date'
  inputMode?: 'text' | 'decimal'
  placeholder?: string
  /** Allows several lines; Enter inserts a line break. */
  isLong?: boolean
  canCopy?: boolean
}

/** A text field of a record, edited in place. */
export function EditableField({
  label,
  value,
  check,
  save,
  onTakeTheirs,
  href = null,
  shown = value,
  empty = 'Empty',
  isAlarming = false,
  type = 'text',
  inputMode = 'text',
  placeholder = '',
  isLong = false,
  canCopy = false,
}: EditableFieldProps) {
  const field = useFieldEdit({ value, check, save })
  const { edit } = field
  const isInCell = useCellEditing() !== null
  if (!edit) {
    // The table shows the value.
    if (isInCell) return null
    return (
      <FieldRow label={label}>
        <FieldValue
          label={label}
          value={value}
          shown={shown}
          empty={empty}
          isAlarming={isAlarming}
          href={href}
          isLong={isLong}
          onEdit={field.start}
          editRef={field.display}
          canCopy={canCopy}
        />
      </FieldRow>
    )
  }

  function press(event: KeyboardEvent): void {
    // Ignore keys that end an input method's composition.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') field.discard()
    if (event.key !== 'Enter' || (isLong && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    field.commit()
  }
  const input = {
    ref: field.input,
    'aria-label': label,
    dir: 'auto',
    autoComplete: 'off',
    placeholder,
    value: edit.text,
    error: edit.error,
    onChange: (event: { currentTarget: { value: string } }) =>
      field.type(event.currentTarget.value),
    onKeyDown: press,
    onKeyUp: field.notice,
    onBlur: field.leave,
    classNames: { input: classes.input ?? '' },
  } as const
  return (
    <FieldRow label={label}>
      {isLong ? (
        <Textarea {...input} autosize minRows={3} maxRows={16} />
      ) : (
        <TextInput {...input} type={type} inputMode={inputMode} />
      )}
      {edit.theirs !== null && (
        <Choice
          theirs={edit.theirs}
          onOverwrite={field.overwrite}
          onTakeTheirs={() => {
            field.discard()
            onTakeTheirs()
          }}
        />
      )}
      {edit.error !== null && (
        <div className={classes.aside}>
          <Button size="compact-sm" variant="default" onClick={field.commit}>
            Try again
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={field.discard}>
            Discard
          </Button>
        </div>
      )}
    </FieldRow>
  )
}

type FieldValueProps = {
  label: string
  value: string
  shown: string
  empty?: string
  isAlarming?: boolean
  href: string | null
  isLong?: boolean
  onEdit: () => void
  editRef: Ref<HTMLButtonElement>
  canCopy: boolean
}

/** The value and its edit button: the value itself, or a pencil where it is a link or can be unfolded. */
export function FieldValue({
  label,
  value,
  shown,
  empty = 'Empty',
  isAlarming = false,
  href,
  isLong = false,
  onEdit,
  editRef,
  canCopy,
}: FieldValueProps) {
  // Without a link, a copy button or unfolding, the value itself is the button.
  const isPlain = value === '' || (!href && !isLong && !canCopy)
  if (isPlain) {
    return (
      <div className={classes.value}>
        <button ref={editRef} type="button" className={classes.text} onClick={onEdit}>
          <VisuallyHidden>{`Edit ${label}: `}</VisuallyHidden>
          <bdi
            className={value ? undefined : classes.empty}
            data-alarming={(value && isAlarming) || undefined}
          >
            {value ? shown : empty}
          </bdi>
        </button>
      </div>
    )
  }
  return (
    <div className={classes.value}>
      <div className={classes.text}>
        {href ? (
          <a className={classes.link} href={href} {...(isWeb(href) ? newTab : {})}>
            <Breakable text={shown} />
          </a>
        ) : (
          <Clamped>
            <div className={isLong ? classes.long : undefined} dir="auto">
              {shown}
            </div>
          </Clamped>
        )}
      </div>
      <div className={classes.actions}>
        <ActionIcon
          ref={editRef}
          className={classes.action ?? ''}
          aria-label={`Edit ${label}`}
          title="Edit"
          onClick={onEdit}
        >
          <IconPencil size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
        {canCopy && (
          <CopyButton
            value={value}
            label={`Copy ${label}`}
            isIcon
            className={classes.action ?? ''}
          />
        )}
      </div>
    </div>
  )
}

type ChoiceProps = { theirs: string; onOverwrite: () => void; onTakeTheirs: () => void }

/** Shown when another window saved the field meanwhile: lets the user choose a version. */
function Choice({ theirs, onOverwrite, onTakeTheirs }: ChoiceProps) {
  const words = theirs === '' ? 'nothing' : `“${theirs.slice(0, 200)}”`
  return (
    <fieldset className={`${classes.aside} ${classes.theirs}`} aria-label="Both versions">
      <span>
        Changed in another window to <bdi>{words}</bdi>.
      </span>
      <Button size="compact-sm" onClick={onOverwrite}>
        Overwrite with mine
      </Button>
      <Button size="compact-sm" variant="default" onClick={onTakeTheirs}>
        Keep the other version
      </Button>
    </fieldset>
  )
}

/** Allows line breaks in an address at sensible places. */
function Breakable({ text }: { text: string }) {
  const at = text.indexOf('@')
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}

const newTab = { target: '_blank', rel: 'noopener noreferrer' }

function isWeb(href: string): boolean {
  return /^https?:/i.test(href)
}
