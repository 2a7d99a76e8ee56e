import { IconFile, IconPhoto } from '@tabler/icons-react'
import { endingOf, shownAs } from '#domain/files.ts'
import classes from './files.module.css'

/** What kind of file it is, at a glance. */
export function FileIcon({ name, type }: { name: string; type: string }) {
  const ending = endingOf(name)
  return (
    <span className={classes.icon} data-kind={shownAs(type)} aria-hidden>
      {shownAs(type) === 'image' ? (
        <IconPhoto size={18} stroke={1.5} />
      ) : ending ? (
        <span className={classes.ending}>{ending}</span>
      ) : (
        <IconFile size={18} stroke={1.5} />
      )}
    </span>
  )
}
