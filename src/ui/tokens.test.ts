import { DEFAULT_THEME } from '@mantine/core'
import { expect, test } from 'vitest'
import { theme } from './theme.ts'
import { type ColorScheme, tokens } from './tokens.ts'

/** How bright a colour is, as WCAG 2.2 reckons it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

test('contrast is reckoned as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

const text = [
  'text',
  'text-quiet',
  'accent',
  'accent-hover',
  'danger',
  'danger-hover',
  'good',
] as const
const filled = ['accent', 'accent-hover', 'danger', 'danger-hover'] as const
const schemes: ColorScheme[] = ['light', 'dark']

test.each(schemes)('%s: what is written can be read on every ground', (scheme) => {
  const colors = tokens[scheme]
  const pairs = [
    ...text.flatMap((name) => [[name, 'page'] as const, [name, 'surface'] as const]),
    ...filled.map((name) => ['on-accent', name] as const),
  ]
  const weak = pairs.filter(([one, other]) => contrast(colors[one], colors[other]) < 4.5)
  expect(weak).toEqual([])
})

test.each(schemes)(
  '%s: a button that is filled has the colour that its words are made for',
  (scheme) => {
    const { primaryColor = '', primaryShade, colors } = theme
    const shade = typeof primaryShade === 'object' ? primaryShade[scheme] : undefined
    expect(colors?.[primaryColor]?.[shade ?? -1]).toBe(tokens[scheme].accent)
  },
)

test.each(schemes)('%s: the edge of a tick box can be seen', (scheme) => {
  const { 'tick-edge': edge, page, surface } = tokens[scheme]
  for (const ground of [page, surface]) expect(contrast(edge, ground)).toBeGreaterThanOrEqual(3)
})

/** `color-mix(in srgb, one part%, other)`. */
function mixed(one: string, part: number, other: string): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [one, other].map((color) => Number.parseInt(color.slice(at, at + 2), 16))
    return Math.round((a ?? 0) * part + (b ?? 0) * (1 - part))
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The hues of stages, statuses, priorities, options and tags, as `tint-badge.module.css` mixes them. */
const hues = [
  'blue',
  'cyan',
  'grape',
  'gray',
  'green',
  'orange',
  'pink',
  'red',
  'teal',
  'violet',
  'yellow',
]

test.each(schemes)('%s: the words of a badge can be read on its tint', (scheme) => {
  const shades = { ...DEFAULT_THEME.colors, ...theme.colors }
  const weak = hues.filter((hue) => {
    const shade = (index: number) => shades[hue]?.[index] ?? '#000000'
    const ground = mixed(shade(6), 0.14, tokens[scheme].surface)
    const words = scheme === 'light' ? mixed(shade(9), 0.68, '#000000') : shade(3)
    return contrast(words, ground) < 4.5
  })
  expect(weak).toEqual([])
})

test.each(schemes)('%s: what is written can be read on a ground that is mixed', (scheme) => {
  const colors = tokens[scheme]
  const { accent, danger, surface, page, text: ink } = colors
  const grey = (index: number) => theme.colors?.gray?.[index] ?? '#000000'
  // Mantine's variants light and subtle: in the dark, the ground is the darkest shade, darkened by half.
  const words = grey(scheme === 'light' ? 9 : 0)
  const badge = scheme === 'light' ? grey(1) : mixed('#000000', 0.5, grey(9))
  const periods = mixed(ink, 0.06, page)
  const chosen = (part: number) => mixed(accent, part, surface)
  const everyday = ['text', 'text-quiet', 'accent', 'danger', 'good'] as const
  const pairs: [string, string, string][] = [
    ['the banner of what is overdue', danger, mixed(danger, 0.08, surface)],
    ['its text', ink, mixed(danger, 0.08, surface)],
    ['its quiet text', colors['text-quiet'], mixed(danger, 0.08, surface)],
    ['a period', words, periods],
    ['the chosen period', ink, surface],
    ['a gray badge', words, badge],
    ...everyday.flatMap((name): [string, string, string][] => [
      [`${name} on a selected row`, colors[name], chosen(0.08)],
      [`${name} on a row under the pointer`, colors[name], mixed(ink, 0.03, surface)],
    ]),
    ['the current entry of the sidebar', ink, mixed(accent, 0.12, surface)],
    ['a day that takes a task', ink, mixed(accent, 0.12, surface)],
  ]
  const weak = pairs
    .map(([what, one, other]) => [what, Number(contrast(one, other).toFixed(2))] as const)
    .filter(([, ratio]) => ratio < 4.5)
  expect(weak).toEqual([])
})

test.each(schemes)('%s: the number on the task button can be read', (scheme) => {
  const { 'on-accent': number, accent, danger } = tokens[scheme]
  for (const ground of [accent, danger])
    expect(contrast(number, ground)).toBeGreaterThanOrEqual(4.5)
})
