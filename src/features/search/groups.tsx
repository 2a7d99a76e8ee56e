import { IconArrowBackUp, IconMail, IconPhone, IconPlus } from '@tabler/icons-react'
import { phoneLink } from '#domain/contact.ts'
import type { QuickAdd } from '#domain/quick-add-records.ts'
import { openComposer } from '#features/forms/index.ts'
import { type Choice, type ChoiceGroup, ChoiceLine } from './choice-list.tsx'
import { type Command, matching } from './command.ts'
import { dial } from './dial.ts'
import { HitLine, pathOf } from './hit-line.tsx'
import { contactLabel, OtherLine, PlanLines } from './plan-lines.tsx'
import type { Hit, KnownRecords, Other } from './queries.ts'

type Offered = {
  /** What was typed before the field was closed; empty if there is nothing. */
  kept: string
  onContinue: () => void
  typed: string
  words: string
  /** The words that found the hits; others than `words` while their answer is on its way. */
  foundFor: string
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
  const { kept, typed, words, foundFor, pinned, hits, commands, plan, known, plain } = offered
  const { onOpen, onCreate } = offered
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
      label: foundFor === '' ? 'Recent' : 'Records',
      choices: hits.filter((hit) => !isSimilar(hit)).map(hitChoice),
    },
    {
      label: 'Create all',
      choices: plan ? planChoices(plan, known, onCreate) : [],
    },
    {
      label: 'Commands',
      choices: [
        ...matching(commands, typed),
        ...(foundFor === words ? reaching(words, hits) : []),
      ].map(({ key, name, icon, run }) => ({
        key: key ?? name,
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

/** How many people a name may offer to call. */
const mostCalls = 3

/** Calls the best contacts found, or writes to the first. Who begins with one of the two verbs is offered only that. */
function reaching(words: string, hits: Hit[]): Command[] {
  if (words === '') return []
  const verb = /^(call|dial|email|mail|write)\s/i.exec(words)?.[1]?.toLowerCase()
  const isToCall = verb === undefined || verb === 'call' || verb === 'dial'
  const isToWrite = verb === undefined || !isToCall
  const people = hits.filter(({ kind }) => kind === 'contacts')
  const email = people.find((each) => each.email || each.phone_number)?.email
  return [
    ...(isToCall ? people.flatMap(calling).slice(0, mostCalls) : []),
    ...(isToWrite && email
      ? [
          {
            name: `Write email to ${email}`,
            icon: IconMail,
            run: () => openComposer({ address: email }),
          },
        ]
      : []),
  ]
}

function calling(person: Hit): Command[] {
  const { id, phone_number: phone, title } = person
  const number = phone && phoneLink(phone)
  if (!number) return []
  const name = title ? `Call ${title} on ${phone}` : `Call ${phone}`
  const run = () => dial({ href: number, shown: phone }, { href: pathOf(person), shown: title })
  return [{ key: `call ${id}`, name, icon: IconPhone, run }]
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
