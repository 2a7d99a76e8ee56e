import { CopyButton } from '#ui/copy-button.tsx'
import classes from './connections.module.css'

type CodeBlockProps = {
  label: string
  code: string
}

/** Lines to copy into another program. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <div className={classes.code}>
        <pre>{code}</pre>
        <CopyButton isIcon value={code} label={`Copy: ${label}`} className={classes.copy ?? ''} />
      </div>
    </div>
  )
}
