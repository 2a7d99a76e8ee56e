import { Button, Switch } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { htmlToText, isBlankHtml, type Quote, quoteAsText } from '#domain/mail-text.ts'
import classes from './composer.module.css'

type SignatureProps = {
  signature: string | null
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** The signature as it goes along, or the way to write one. */
export function Signature({ signature, isOn, onChange }: SignatureProps) {
  const text = useMemo(() => htmlToText(signature ?? ''), [signature])
  if (!signature || isBlankHtml(signature)) {
    return (
      <p className={classes.hint}>
        No signature yet. <Link to="/app/settings/email">Write one in Settings › Email</Link>
      </p>
    )
  }
  return (
    <div>
      <Switch
        size="xs"
        label="Signature"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {isOn && (
        <div className={classes.below} dir="auto">
          {text}
        </div>
      )}
    </div>
  )
}

type QuotedProps = { quote: Quote; isOn: boolean; onChange: (isOn: boolean) => void }

/** What an answer quotes. */
export function Quoted({ quote, isOn, onChange }: QuotedProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div>
      <div className={classes.line}>
        <Switch
          size="xs"
          label="Quoted text"
          checked={isOn}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {isOn && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      {isOn && isOpen && (
        <div className={classes.below} dir="auto">
          {quoteAsText(quote)}
        </div>
      )}
    </div>
  )
}
