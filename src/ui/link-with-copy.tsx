import { CopyButton } from './copy-button.tsx'
import classes from './link-with-copy.module.css'

type LinkWithCopyProps = {
  href: string
  text: string
  /** 'email', for the label of the copy button. */
  what: string
}

/** A link to an address or phone number, with a copy button. */
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
