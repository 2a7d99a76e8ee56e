import type { Icon } from '@tabler/icons-react'

/** Something that can be done from the search, by its name. */
export type Command = { name: string; icon: Icon; run: () => void }

/** Those whose name holds every word that was typed; without any, all. */
export function matching(commands: Command[], words: string): Command[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)))
}
