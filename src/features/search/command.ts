import type { Icon } from '@tabler/icons-react'

/** A command of the search. */
export type Command = {
  name: string
  icon: Icon
  run: () => void
  /** Where several may have the same name. */
  key?: string
}

/** The commands whose names contain all typed words. */
export function matching(commands: Command[], words: string): Command[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)))
}
