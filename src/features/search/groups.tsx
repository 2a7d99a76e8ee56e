import { IconPlus } from '@tabler/icons-react'
import type { QuickAdd } from '#domain/quick-add.ts'
import { type Choice, type ChoiceGroup, ChoiceLine } from './choice-list.tsx'
import { type Command, matching } from './command.ts'
import { HitLine, pathOf } from './hit-line.tsx'
import { PlanLines, saidName } from './plan-lines.tsx'
import type { Hit, KnownRecords } from './queries.ts'

type Offered = {
  typed: string
  /** What the hits were found under. */
  words: string
  hits: Hit[]
  commands: Command[]
  plan: QuickAdd | undefined
  known: KnownRecords | undefined
  plain: QuickAdd[]
  onOpen: (hit: Hit) => void
  onCreate: (line: QuickAdd) => void
}

/** Everything that can be chosen, in the order in which it is offered. */
export function groupsOf(offered: Offered): ChoiceGroup[] {
  const { typed, words, hits, commands, plan, known, plain, onOpen, onCreate } = offered
  const isSimilar = ({ rank }: Hit) => rank === 4
  const hitChoice = (hit: Hit): Choice => ({
    key: hit.id,
    href: pathOf(hit),
    run: () => onOpen(hit),
    content: <HitLine hit={hit} words={words} />,
  })
  const groups: ChoiceGroup[] = [
    {
      label: words === '' ? 'Recent' : 'Records',
      choices: hits.filter((hit) => !isSimilar(hit)).map(hitChoice),
    },
    {
      label: 'Create all of this',
      choices: [plan]
        .filter((line) => line !== undefined)
        .map((line) => ({
          key: 'plan',
          run: () => onCreate(line),
          takesTime: true,
          content: <PlanLines plan={line} known={known} />,
        })),
    },
    {
      label: 'Commands',
      choices: matching(commands, typed).map(({ name, icon, run }) => ({
        key: name,
        run,
        content: <ChoiceLine icon={icon} title={name} />,
      })),
    },
    { label: 'Similar', choices: hits.filter(isSimilar).map(hitChoice) },
    {
      label: 'Create',
      choices: plain.map((line) => ({
        key: createWords(line),
        run: () => onCreate(line),
        takesTime: true,
        isGuess: true,
        content: <ChoiceLine icon={IconPlus} title={createWords(line)} />,
      })),
    },
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

function createWords({ contact, company, task }: QuickAdd): string {
  if (contact) return `Create contact “${saidName(contact)}”`
  if (company) return `Create company “${company.name}”`
  return `Create task “${task?.title}”`
}
