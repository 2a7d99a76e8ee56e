import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

type CodeBlockProps = { label: string; text?: string; code: string }

/** Lines to copy into another program. */
export function CodeBlock({ label, text, code }: CodeBlockProps) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      {text && <div className={classes.text}>{text}</div>}
      <div className={classes.code}>
        <pre>{code}</pre>
        <CopyButton isIcon value={code} label={`Copy: ${label}`} className={classes.copy ?? ''} />
      </div>
    </div>
  )
}
