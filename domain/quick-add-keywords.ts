/** What a line says at its start that it is about. */
export type Asked = 'contact' | 'company' | 'deal' | 'task' | 'note' | 'call' | 'meeting'

const create = '(?:new|add|create)\\s+(?:a\\s+)?'
const log = '(?:log|logged|add|new)\\s+(?:an?\\s+)?'

const keywords: [Asked, string][] = [
  // 'Contact Anna tomorrow' is a task.
  ['contact', `${create}(?:contact|person|lead):?|(?:contact|person|lead):`],
  ['company', `${create}(?:company|organi[sz]ation|account):?|(?:company|organi[sz]ation):`],
  // So is 'deal with the complaint'.
  ['deal', `(?:${create})?(?:deal|opportunity):?(?!\\s+with\\b)`],
  [
    'task',
    `(?:${create})?(?:task|to-?do|reminder):?|remind me(?:\\s+to)?|(?:remember|don['’]t forget)\\s+to`,
  ],
  ['note', `(?:${log})?note:?(?:\\s+(?:to|on|for|about))?`],
  [
    'call',
    `(?:called|phoned|rang|(?:spoke|talked)\\s+(?:to|with)|${log}call(?:\\s+(?:to|with))?):?`,
  ],
  [
    'meeting',
    `(?:met(?:\\s+with)?|visited|${log}meeting(?:\\s+with)?|had\\s+(?:an?\\s+)?(?:meeting|lunch|coffee)\\s+with):?`,
  ],
]

const patterns = keywords.map(([asked, words]) => ({
  asked,
  pattern: new RegExp(`^(?:${words})\\s+(?=[^\\s$€£!])`, 'i'),
}))

/** The keyword with which a line begins. */
export function findKeyword(line: string): { asked: Asked; text: string } | null {
  for (const { asked, pattern } of patterns) {
    const match = pattern.exec(line)
    if (match) return { asked, text: match[0] }
  }
  return null
}

export function isLogged(asked: Asked | null): asked is 'note' | 'call' | 'meeting' {
  return asked === 'note' || asked === 'call' || asked === 'meeting'
}
