import { CopyButton } from './copy-button.tsx'
import classes from './link-with-copy.module.css'

type LinkWithCopyProps = {
  href: string
  text: string
  /** What it is, as the button that copies says it: 'email'. */
  what: string
}

/** An address or a phone number: what a click on it opens, and the way to copy it. */
export function LinkWithCopy({ href, text, what }: LinkWithCopyProps) {
  return (
    <div className={classes.link}>
      <a href={href} title={text} dir="ltr">
        {text}
      </a>
      <CopyButton
        isIcon
        value={text}
        label={`Copy ${what} ${text}`}
        className={classes.copy ?? ''}
      />
    </div>
  )
}
