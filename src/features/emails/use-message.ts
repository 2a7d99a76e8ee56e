import { useState } from 'react'
import { type Message, messageSchema } from '#domain/email-template.ts'
import { fieldErrors } from '#domain/field-errors.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { type EmailTemplate, useTemplates } from './queries.ts'

const empty: Message = { subject: '', body: '' }

type MessageOptions = {
  /** What is written at the start. */
  initial?: Message
  /** Called when a template replaces the text, for who shows it otherwise. */
  onReplace?: (text: Message) => void
}

/** The message being written, and the template it came from. */
export function useMessage({ initial = empty, onReplace }: MessageOptions = {}) {
  const [text, setText] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [templateId, setTemplateId] = useState<string | null>(null)
  const templates = useTemplates()
  const template = templates.rows.find(({ id }) => id === templateId)
  const start = template ?? initial
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
    if (!chosen) return
    const { subject, body } = chosen
    change({ subject, body })
    onReplace?.({ subject, body })
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
