import { Button, Progress, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { counted } from '#domain/counted.ts'
import type { Message } from '#domain/email-template.ts'
import { shownNumber } from '#domain/figures.ts'
import { type Addressee, fitting } from '#domain/mail-merge.ts'
import { mailtoLink } from '#domain/mailto.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import classes from './emails.module.css'
import { Foot } from './foot.tsx'
import { OpenedMark } from './opened-mark.tsx'
import { Pasting } from './pasting.tsx'
import { filledIn, MessageText } from './preview.tsx'
import type { EmailContact } from './queries.ts'
import type { Opened } from './use-opened.ts'

type EachStepProps = {
  text: Message
  all: Addressee<EmailContact>[]
  opened: Opened
  onBack: () => void
  onClose: () => void
  /** Called when all messages were opened or skipped. */
  onFinished: (isFinished: boolean) => void
}

/** Second step, contact by contact. */
export function EachStep({ text, all, opened, onBack, onClose, onFinished }: EachStepProps) {
  // After editing the text, continue at the first unopened contact.
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      all.findIndex((to) => !opened.markOf([to])),
    ),
  )
  const to = all[index]
  const mark = to && opened.markOf([to])
  // The next control takes the place of the one just pressed, and the focus, so that the user can press again.
  const openLink = useRef<HTMLAnchorElement>(null)
  const nextButton = useRef<HTMLButtonElement>(null)
  const place = `${index} ${mark ? 'next' : 'open'}`
  useEffect(() => {
    const target = place.endsWith('next') ? nextButton : openLink
    target.current?.focus()
  }, [place])

  function go(next: number): void {
    setIndex(next)
    onFinished(next >= all.length)
  }

  if (!to)
    return <Summary all={all} opened={opened} onBack={() => go(all.length - 1)} onClose={onClose} />
  const filled = filledIn(text, to.contact)
  const { message, pasted } = fitting({ to: to.address, ...filled })
  const handOver = () => opened.open([to], filled.subject)
  const open = (
    <Button
      key="open"
      component="a"
      ref={openLink}
      href={mailtoLink(message)}
      data-hands-over
      variant={mark ? 'default' : 'filled'}
      onClick={handOver}
    >
      {mark ? 'Open again' : 'Open in mail app'}
    </Button>
  )
  const next = (
    <Button
      key="next"
      ref={nextButton}
      variant={mark ? 'filled' : 'default'}
      onClick={() => go(index + 1)}
    >
      {mark ? 'Next' : 'Skip'}
    </Button>
  )
  return (
    <div className={classes.page}>
      <div className={classes.handOver}>
        <div className={classes.place}>
          <Text fw={600} role="status">
            {shownNumber(index + 1)} of {shownNumber(all.length)}
          </Text>
          <OpenedMark mark={mark} onAgain={handOver} />
          {index > 0 && (
            <Button variant="subtle" color="gray" ml="auto" onClick={() => go(index - 1)}>
              Previous
            </Button>
          )}
        </div>
        <Progress value={(index / all.length) * 100} size="xs" aria-label="Contacts done" />
        {/* Above the text, so that the buttons do not move with its length. */}
        <div className={classes.actions}>{mark ? [next, open] : [open, next]}</div>
        <Pasting pasted={pasted} />
        <div className={classes.copies}>
          <CopyButton label="Copy address" value={to.address} />
          <CopyButton label="Copy subject" value={filled.subject} />
          <CopyButton label="Copy message" value={filled.body} />
        </div>
        <section className={classes.preview} aria-label={`Message to ${contactName(to.contact)}`}>
          <p className={classes.to}>
            <bdi>{contactName(to.contact)}</bdi> <span>{to.address}</span>
          </p>
          <MessageText text={filled} />
        </section>
      </div>
      <Foot onBack={onBack} onClose={onClose} />
    </div>
  )
}

type SummaryProps = Pick<EachStepProps, 'all' | 'opened' | 'onBack' | 'onClose'>

function Summary({ all, opened, onBack, onClose }: SummaryProps) {
  const count = all.filter((to) => opened.markOf([to])).length
  const skipped = all.length - count
  return (
    <div className={classes.page}>
      <div className={classes.handOver} role="status">
        <Text fw={600}>{counted(count, 'message')} opened in your mail app</Text>
        <Text c="dimmed">
          {skipped > 0 ? `${counted(skipped, 'contact')} skipped. ` : ''}
          Press Send there to send each one.
        </Text>
      </div>
      <Foot onBack={onBack} onClose={onClose} isEnd />
    </div>
  )
}
