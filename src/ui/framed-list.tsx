import type { ReactNode, Ref } from 'react'
import classes from './framed-list.module.css'

type FramedListProps = {
  'aria-label': string
  ref?: Ref<HTMLUListElement>
  children: ReactNode
}

/** A list of settings in a frame; its rows part themselves. */
export function FramedList(props: FramedListProps) {
  return <ul {...props} className={classes.list} />
}
