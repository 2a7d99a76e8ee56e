import { IconArrowBackUp, IconMail, IconPlus } from '@tabler/icons-react'
import type { QuickAdd } from '#domain/quick-add-records.ts'
import { openComposer } from '#features/forms/index.ts'
import { type Choice, type ChoiceGroup, ChoiceLine } from './choice-list.tsx'
import { type Command, matching } from './command.ts'
import { HitLine, pathOf } from './hit-line.tsx'
import { contactLabel, OtherLine, PlanLines } from './plan-lines.tsx'
import type { Hit, KnownRecords, Other } from './queries.ts'

type Offered = {
  /** What was typed before the field was closed; empty if there is nothing. */
  kept: string
  onContinue: () => void
  typed: string
  /** The words of the search that found the hits. */
  words: string
  /** Pinned records, while nothing is typed. */
  pinned: Hit[]
  hits: Hit[]
  commands: Command[]
  plan: QuickAdd | undefined
  known: KnownRecords | undefined
  plain: QuickAdd[]
  onOpen: (hit: Hit) => void
  onCreate: (line: QuickAdd, other?: Other) => void
}

/** All options in groups, in the order of the list. */
export function groupsOf(offered: Offered): ChoiceGroup[] {
  const { kept, typed, words, pinned, hits, commands, plan, known, plain, onOpen, onCreate } =
    offered
  const isSimilar = ({ rank }: Hit) => rank === 4
  const hitChoice = (hit: Hit): Choice => ({
    key: hit.id,
    href: pathOf(hit),
    run: () => onOpen(hit),
    content: <HitLine hit={hit} words={words} />,
  })
  const groups: ChoiceGroup[] = [
    {
      label: 'Continue',
      choices:
        kept === ''
          ? []
          : [
              {
                key: 'kept',
                run: offered.onContinue,
                takesTime: true,
                content: <ChoiceLine icon={IconArrowBackUp} title={kept} />,
              },
            ],
    },
    { label: 'Pinned', choices: pinned.map(hitChoice) },
    {
      label: words === '' ? 'Recent' : 'Records',
      choices: hits.filter((hit) => !isSimilar(hit)).map(hitChoice),
    },
    {
      label: 'Create all',
      choices: plan ? planChoices(plan, known, onCreate) : [],
    },
    {
      label: 'Commands',
      choices: [...matching(commands, typed), ...writingTo(words, hits)].map(
        ({ name, icon, run }) => ({
          key: name,
          run,
          content: <ChoiceLine icon={icon} title={name} />,
        }),
      ),
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

/** Writes to the best contact found. */
function writingTo(words: string, hits: Hit[]): Command[] {
  const email = hits.find(({ kind, email: known }) => kind === 'contacts' && known)?.email
  if (words === '' || !email) return []
  return [
    {
      name: `Write email to ${email}`,
      icon: IconMail,
      run: () => openComposer({ address: email }),
    },
  ]
}

/** An ambiguous name: the best match, and the next two as further options. */
function planChoices(
  plan: QuickAdd,
  known: KnownRecords | undefined,
  onCreate: Offered['onCreate'],
): Choice[] {
  return [
    {
      key: 'plan',
      run: () => onCreate(plan),
      takesTime: true,
      content: <PlanLines plan={plan} known={known} />,
    },
    ...othersIn(known).map((other) => ({
      key: `plan ${other.hit.id}`,
      run: () => onCreate(plan, other),
      takesTime: true,
      content: <OtherLine other={other} />,
    })),
  ]
}

function othersIn(known: KnownRecords | undefined): Other[] {
  const others = (['contact', 'company'] as const).flatMap((part) =>
    (known?.[part] ?? []).slice(1).map((hit) => ({ part, hit })),
  )
  return others.slice(0, 2)
}

function createWords({ contact, company, task }: QuickAdd): string {
  if (contact) return `Create contact “${contactLabel(contact)}”`
  if (company) return `Create company “${company.name}”`
  return `Create task “${task?.title}”`
}
