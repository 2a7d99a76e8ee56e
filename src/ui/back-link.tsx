import { IconChevronLeft } from '@tabler/icons-react'
import type { MouseEventHandler } from 'react'
import { Link } from 'react-router'
import classes from './back-link.module.css'

type BackLinkProps = { label: string; to: string; onClick?: MouseEventHandler }

/** The link from a page to the screen that it belongs to. */
export function BackLink({ label, ...link }: BackLinkProps) {
  return (
    <Link className={classes.back} {...link}>
      <IconChevronLeft size={16} stroke={1.5} aria-hidden />
      {label}
    </Link>
  )
}
