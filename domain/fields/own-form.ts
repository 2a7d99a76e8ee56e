import { z } from 'zod'
import { requiredText } from '#domain/text-fields.ts'
import { hasOptions, hues, type OwnField, type OwnKind, type OwnOption, ownKinds } from './own.ts'

/** How many choices a field can have. */
export const mostOptions = 100

const name = requiredText('Name', 60)

const option = z.object({
  id: z.string().regex(/^~[0-9A-Za-z]{7}$/),
  name,
  color: z.enum(hues),
})

/** A choice in the form of a field. */
export type OptionInput = z.input<typeof option>

/** The letters and digits of ids. */
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The id of a new choice, made of random bytes. */
export function optionId(bytes: Uint8Array): string {
  return `~${Array.from(bytes.slice(0, 7), (byte) => letters[byte % letters.length]).join('')}`
}

/** A new choice, in the hue that comes after those before it. */
export function newOption(id: string, before: readonly { color: string }[]): OptionInput {
  return { id, name: '', color: hues[(before.length + 1) % hues.length] ?? 'gray' }
}

/** What the form of a field begins with. */
export function fieldInput(field: OwnField | undefined, called = '') {
  return {
    name: field?.name ?? called,
    kind: field?.kind ?? ('text' satisfies OwnKind),
    options: (field?.options ?? []).map(withHue),
  }
}

function withHue({ id, name: called, color }: OwnOption): OptionInput {
  return { id, name: called, color: hues.find((hue) => hue === color) ?? 'gray' }
}

// The keys of an object have lost their names.
const kinds = Object.keys(ownKinds) as OwnKind[]

/** The form of a field. Names are compared without regard to case, as the database does. */
export function fieldSchema(taken: readonly string[]) {
  return z
    .object({
      name: name.refine(
        (typed) => !taken.some((other) => folded(other) === folded(typed)),
        'A field with this name already exists.',
      ),
      kind: z.enum(kinds),
      options: z.array(z.custom<OptionInput>()),
    })
    .transform(({ options, ...field }) => ({
      ...field,
      // Those of another kind were typed before the kind was chosen.
      options: hasOptions(field.kind) ? options : [],
    }))
    .pipe(
      z
        .object({ name: z.string(), kind: z.enum(kinds), options: optionsField })
        .check((context) => {
          const { kind, options } = context.value
          if (!hasOptions(kind) || options.length > 0) return
          context.issues.push({
            code: 'custom',
            input: options,
            path: ['options'],
            message: 'Add at least one option.',
          })
        }),
    )
}

/** No name twice. */
const optionsField = z
  .array(option)
  .max(mostOptions, `A field can have at most ${mostOptions} options.`)
  .check(({ value, issues }) => {
    value.forEach((each, index) => {
      const first = value.findIndex((other) => folded(other.name) === folded(each.name))
      if (first === index) return
      issues.push({
        code: 'custom',
        input: each.name,
        path: [index, 'name'],
        message: 'An option with this name already exists.',
      })
    })
  })

/**
 * The options of a field that two windows change: those of this window in its order, as far as it changed them, then what
 * the other one added. What one of them removed and the other left as it was is removed.
 */
export function optionsTogether(
  before: readonly OwnOption[],
  mine: readonly OwnOption[],
  now: readonly OwnOption[],
): OwnOption[] {
  const [was, is] = [byId(before), byId(now)]
  const kept = mine.flatMap((option) => {
    const [old, theirs] = [was.get(option.id), is.get(option.id)]
    if (!old) return [option]
    const isMine = option.name !== old.name || option.color !== old.color
    if (!theirs) return isMine ? [option] : []
    return [
      {
        id: option.id,
        name: option.name === old.name ? theirs.name : option.name,
        color: option.color === old.color ? theirs.color : option.color,
      },
    ]
  })
  const known = new Set([...was.keys(), ...mine.map(({ id }) => id)])
  return [...kept, ...now.filter(({ id }) => !known.has(id))]
}

function byId(options: readonly OwnOption[]): Map<string, OwnOption> {
  return new Map(options.map((option) => [option.id, option]))
}

function folded(text: string): string {
  return text.trim().toLowerCase()
}
