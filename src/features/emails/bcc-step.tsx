import { Button, Text } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { counted } from '#domain/counted.ts'
import type { Message } from '#domain/email-template.ts'
import { shownNumber } from '#domain/figures.ts'
import { type Addressee, bccHandOver } from '#domain/mail-merge.ts'
import { mailtoLink } from '#domain/mailto.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import classes from './emails.module.css'
import { Foot } from './foot.tsx'
import { OpenedMark } from './opened-mark.tsx'
import { Pasting } from './pasting.tsx'
import { MessageText } from './preview.tsx'
import type { EmailContact } from './queries.ts'
import type { Opened } from './use-opened.ts'

type BccStepProps = {
  text: Message
  all: Addressee<EmailContact>[]
  opened: Opened
  onBack: () => void
  onClose: () => void
}

/** How many parts are rendered at first. */
const fewParts = 50

/** Second step, one message for all. */
export function BccStep({ text, all, opened, onBack, onClose }: BccStepProps) {
  const { parts, pasted } = useMemo(() => partsOf(all, text), [all, text])
  const [shown, setShown] = useState(fewParts)
  const first = useRef<HTMLAnchorElement>(null)
  useEffect(() => first.current?.focus(), [])
  const isOne = parts.length === 1
  return (
    <div className={classes.page}>
      <div className={classes.handOver}>
        {!isOne && (
          <Text c="dimmed">
            Too many addresses for one email, so it opens in {counted(parts.length, 'part')}.
          </Text>
        )}
        <ul className={classes.parts}>
          {parts.slice(0, shown).map(({ bcc, link, who }, index) => {
            const place = `${shownNumber(index + 1)} of ${shownNumber(parts.length)}`
            const mark = opened.markOf(who)
            const open = () => opened.open(who, text.subject)
            return (
              <li key={bcc[0]} className={classes.part}>
                <span className={classes.partName}>
                  {counted(bcc.length, 'address', 'addresses')}
                </span>
                <OpenedMark mark={mark} onAgain={open} />
                <CopyButton
                  label={isOne ? 'Copy addresses' : `Copy addresses of part ${place}`}
                  value={bcc.join(', ')}
                  isIcon
                />
                <Button
                  component="a"
                  {...(index === 0 ? { ref: first } : {})}
                  href={link}
                  variant={mark ? 'default' : 'filled'}
                  onClick={open}
                >
                  {isOne ? 'Open in mail app' : `Open part ${place}`}
                </Button>
              </li>
            )
          })}
        </ul>
        {parts.length > shown && (
          <Button variant="default" onClick={() => setShown(shown + fewParts)}>
            Show more parts
          </Button>
        )}
        <Pasting pasted={pasted} />
        <div className={classes.copies}>
          {!isOne && (
            <CopyButton
              label="Copy all addresses"
              value={all.map(({ address }) => address).join(', ')}
            />
          )}
          <CopyButton label="Copy subject" value={text.subject} />
          <CopyButton label="Copy message" value={text.body} />
        </div>
        <section className={classes.preview} aria-label="Message to everyone">
          <p className={classes.to}>
            <span>Bcc to {counted(all.length, 'address', 'addresses')}</span>
          </p>
          <MessageText text={text} />
        </section>
      </div>
      <Foot onBack={onBack} onClose={onClose} isEnd={opened.markOf(all) !== undefined} />
    </div>
  )
}

function partsOf(all: Addressee<EmailContact>[], text: Message) {
  const byAddress = new Map(all.map((to) => [to.address, to]))
  const { parts, message, pasted } = bccHandOver([...byAddress.keys()], text)
  return {
    pasted,
    parts: parts.map((bcc) => ({
      bcc,
      link: mailtoLink({ ...message, bcc }),
      who: bcc.flatMap((address) => byAddress.get(address) ?? []),
    })),
  }
}
