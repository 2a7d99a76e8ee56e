import { ActionIcon, Button, Input, Menu, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { hues } from '#domain/fields/own.ts'
import { mostOptions, newOption, type OptionInput, optionId } from '#domain/fields/own-form.ts'
import { moved } from '#domain/moved.ts'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './own-fields.module.css'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type OptionsEditorProps = {
  options: OptionInput[]
  errorOf: (index: number) => ReactNode
  onChange: (options: OptionInput[]) => void
}

/** The options of a choice: names, colours, order. Enter in a name adds the next one. */
export function OptionsEditor({ options, errorOf, onChange }: OptionsEditorProps) {
  const list = useRef<HTMLOListElement>(null)
  const isFull = options.length >= mostOptions
  function add(at: number): void {
    if (isFull) return
    const id = optionId(crypto.getRandomValues(new Uint8Array(7)))
    changeAndFocus(options.toSpliced(at, 0, newOption(id, options)), at)
  }
  function remove(index: number): void {
    changeAndFocus(options.toSpliced(index, 1), Math.max(0, index - 1))
  }
  // Rendered at once: whoever types on after Enter must not write into the option before.
  function changeAndFocus(changed: OptionInput[], at: number): void {
    flushSync(() => onChange(changed))
    list.current?.querySelectorAll('input')[at]?.focus()
  }
  return (
    <div>
      <Input.Label>Options</Input.Label>
      <ol ref={list} className={classes.options}>
        {options.map((option, index) => (
          <OptionRow
            key={option.id}
            option={option}
            index={index}
            count={options.length}
            error={errorOf(index)}
            onChange={(changes) => onChange(options.with(index, { ...option, ...changes }))}
            onMove={(to) => onChange(moved(options, index, to))}
            onRemove={() => remove(index)}
            onEnter={() => add(index + 1)}
          />
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<IconPlus {...icon} />}
        disabled={isFull}
        onClick={() => add(options.length)}
      >
        Add option
      </Button>
    </div>
  )
}

type OptionRowProps = {
  option: OptionInput
  index: number
  count: number
  error: ReactNode
  onChange: (changes: Partial<OptionInput>) => void
  onMove: (to: number) => void
  onRemove: () => void
  onEnter: () => void
}

function OptionRow(props: OptionRowProps) {
  const { option, index, count, error, onChange, onMove, onRemove, onEnter } = props
  const label = option.name || `option ${index + 1}`
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    // Ignore the Enter that ends an input method's composition, and one in an empty name: that saves the field.
    if (event.nativeEvent.isComposing || option.name.trim() === '') return
    event.preventDefault()
    onEnter()
  }
  return (
    <li className={classes.option}>
      <Menu position="bottom-start" shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon aria-label={`Color of ${label}: ${option.color}`} title="Color">
            <Swatch hue={option.color} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={option.color}
            onChange={(chosen) => {
              const color = hues.find((hue) => hue === chosen)
              if (color) onChange({ color })
            }}
          >
            {hues.map((hue) => (
              <Menu.RadioItem key={hue} value={hue} closeMenuOnClick>
                <TintBadge color={hue}>{hue}</TintBadge>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      <TextInput
        aria-label={`Name of option ${index + 1}`}
        name={`options.${index}.name`}
        placeholder="Name"
        dir="auto"
        autoComplete="off"
        value={option.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        onKeyDown={press}
        error={error}
      />
      <div className={classes.optionActions}>
        <MoveButtons name={label} index={index} count={count} onMove={onMove} />
        <ActionIcon aria-label={`Remove ${label}`} title="Remove" onClick={onRemove}>
          <IconTrash {...icon} />
        </ActionIcon>
      </div>
    </li>
  )
}

function Swatch({ hue }: { hue: string }) {
  return (
    <span
      className={classes.swatch}
      style={{ background: `var(--mantine-color-${hue}-6)` }}
      aria-hidden
    />
  )
}
