import { ActionIcon, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { contactName } from '#domain/contact.ts'
import type { Message } from '#domain/email-template.ts'
import { shownNumber } from '#domain/figures.ts'
import { type Addressee, emptyFields, fieldLabel, fillIn } from '#domain/mail-merge.ts'
import classes from './emails.module.css'
import type { EmailContact } from './queries.ts'

type PreviewProps = { text: Message; all: Addressee<EmailContact>[] }

/** The message as each contact gets it. */
export function Preview({ text, all }: PreviewProps) {
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, Math.max(0, all.length - 1))
  const to = all[index]
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.previewHead}>
        <h3 className={classes.previewTitle}>Preview</h3>
        {to && (
          <>
            <Text size="xs" c="dimmed" role="status" className={classes.figures ?? ''}>
              {shownNumber(index + 1)} of {shownNumber(all.length)}
            </Text>
            <Step label="Previous contact" to={index - 1} last={all.length - 1} onStep={setChosen}>
              <IconChevronLeft size={16} stroke={1.5} aria-hidden />
            </Step>
            <Step label="Next contact" to={index + 1} last={all.length - 1} onStep={setChosen}>
              <IconChevronRight size={16} stroke={1.5} aria-hidden />
            </Step>
          </>
        )}
      </div>
      {to && (
        <p className={classes.to}>
          <bdi>{contactName(to.contact)}</bdi> <span>{to.address}</span>
        </p>
      )}
      <MessageText text={to ? filledIn(text, to.contact) : text} />
      {to && <EmptyFields text={text} contact={to.contact} />}
    </section>
  )
}

/** The message to this contact. */
export function filledIn({ subject, body }: Message, contact: EmailContact): Message {
  return { subject: fillIn(subject, contact), body: fillIn(body, contact) }
}

/** Subject and body, as they are going to be. */
export function MessageText({ text }: { text: Message }) {
  return (
    <div className={classes.text}>
      <p className={classes.subject} dir="auto">
        {text.subject || <span>No subject</span>}
      </p>
      <p className={classes.body} dir="auto">
        {text.body || <span>No message</span>}
      </p>
    </div>
  )
}

function EmptyFields({ text, contact }: { text: Message; contact: EmailContact }) {
  const empty = emptyFields(`${text.subject} ${text.body}`, contact).map(fieldLabel)
  if (empty.length === 0) return null
  return <p className={classes.empty}>Empty for this contact: {empty.join(', ')}</p>
}

type StepProps = {
  label: string
  to: number
  last: number
  onStep: (index: number) => void
  children: ReactNode
}

function Step({ label, to, last, onStep, children }: StepProps) {
  const isPossible = to >= 0 && to <= last
  return (
    <ActionIcon
      className={classes.step ?? ''}
      aria-label={label}
      // Not disabled, which would take the keyboard away from it.
      aria-disabled={!isPossible}
      data-disabled={!isPossible || undefined}
      onClick={() => isPossible && onStep(to)}
    >
      {children}
    </ActionIcon>
  )
}
