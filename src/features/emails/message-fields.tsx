import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Message } from '#domain/email-template.ts'
import { fieldLabel, mergeFields } from '#domain/mail-merge.ts'
import classes from './emails.module.css'
import { UnknownFields } from './merge-fields.tsx'

type MessageFieldsProps = {
  text: Message
  errors: Record<string, string>
  onChange: (changes: Partial<Message>) => void
}

/** Subject and message, with buttons that put a merge field where the cursor is. */
export function MessageFields({ text, errors, onChange }: MessageFieldsProps) {
  const subject = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  // The field that had the cursor last.
  const last = useRef<keyof Message>('body')
  useEffect(() => subject.current?.focus(), [])

  function insert(field: string): void {
    const name = last.current
    const input = (name === 'subject' ? subject : body).current
    if (!input) return
    const start = input.selectionStart ?? text[name].length
    const end = input.selectionEnd ?? start
    const before = text[name].slice(0, start)
    // Flush, so that the cursor can be placed after the field.
    flushSync(() => onChange({ [name]: `${before}{{${field}}}${text[name].slice(end)}` }))
    const cursor = start + field.length + 4
    input.focus()
    input.setSelectionRange(cursor, cursor)
  }

  const props = (name: keyof Message, ref: RefObject<HTMLElement | null>) => ({
    ref,
    name,
    dir: 'auto',
    value: text[name],
    error: errors[name],
    onFocus() {
      last.current = name
    },
  })
  return (
    <>
      <div>
        <TextInput
          label="Subject"
          autoComplete="off"
          data-autofocus
          {...props('subject', subject)}
          ref={subject}
          onChange={(event) => onChange({ subject: event.currentTarget.value })}
        />
        <UnknownFields text={text.subject} />
      </div>
      <div>
        <Textarea
          label="Message"
          autosize
          minRows={8}
          maxRows={16}
          {...props('body', body)}
          ref={body}
          onChange={(event) => onChange({ body: event.currentTarget.value })}
        />
        <UnknownFields text={text.body} />
      </div>
      <div className={classes.insert}>
        <Text size="xs" c="dimmed" w="100%" aria-hidden>
          Insert a field
        </Text>
        {Object.keys(mergeFields).map((field) => (
          <Button
            key={field}
            variant="default"
            size="compact-xs"
            className={classes.field ?? ''}
            aria-label={`Insert ${fieldLabel(field)}`}
            // Keep the cursor in the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insert(field)}
          >
            {fieldLabel(field)}
          </Button>
        ))}
      </div>
    </>
  )
}
