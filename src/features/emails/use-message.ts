import { useState } from 'react'
import { type Message, messageSchema } from '#domain/email-template.ts'
import { fieldErrors } from '#domain/field-errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { type EmailTemplate, useTemplates } from './queries.ts'

const empty: Message = { subject: '', body: '' }

/** The message being written, and the template it came from. */
export function useMessage() {
  const [text, setText] = useState(empty)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [templateId, setTemplateId] = useState<string | null>(null)
  const templates = useTemplates()
  const template = templates.rows.find(({ id }) => id === templateId)
  const start = template ?? empty
  const isChanged = text.subject !== start.subject || text.body !== start.body
  const isEmpty = text.subject.trim() === '' && text.body.trim() === ''
  const isDirty = isChanged && !isEmpty

  function change(changes: Partial<Message>): void {
    setText((before) => ({ ...before, ...changes }))
    setErrors({})
  }

  /** Replaces the text by the template, after a question if text would be lost. */
  async function choose(chosen: EmailTemplate | undefined): Promise<void> {
    const goAhead =
      !chosen ||
      !isDirty ||
      (await confirmAction({
        title: 'Replace your text?',
        body: 'The template will replace what you typed.',
        confirm: 'Replace',
        isDangerous: true,
      }))
    if (!goAhead) return
    setTemplateId(chosen?.id ?? null)
    if (chosen) change({ subject: chosen.subject, body: chosen.body })
  }

  /** Checks the message; returns the name of the first invalid field. */
  function check(): string | undefined {
    const found = isEmpty
      ? { subject: 'Enter a subject or a message.' }
      : fieldErrors(messageSchema, text)
    setErrors(found)
    return Object.keys(found)[0]
  }

  return {
    text,
    errors,
    change,
    check,
    isDirty,
    template,
    templates,
    /** Whether the text differs from the template. */
    isChanged,
    choose,
    /** Called after the text was saved as this template. */
    keepAs: setTemplateId,
  }
}

export type MessageState = ReturnType<typeof useMessage>
