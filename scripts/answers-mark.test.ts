import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answersMark, codeOf, shaping, tellsOfAnswers } from './answers-mark.ts'

test('what is asked and what an answer is like makes another mark, what a screen looks like does not', () => {
  expect(answersMark()).toMatch(/^[0-9a-f]{16}$/)
  expect(tellsOfAnswers('src/features/deals/queries.ts', '')).toBe(true)
  expect(tellsOfAnswers('domain/log.ts', "import { z } from 'zod/mini'")).toBe(true)
  expect(tellsOfAnswers('domain/fields/deals.ts', '')).toBe(true)
  expect(tellsOfAnswers('src/lib/list-source.ts', '')).toBe(true)
  expect(tellsOfAnswers('src/lib/send-waiting.ts', "import { z } from 'zod/mini'")).toBe(false)
  expect(tellsOfAnswers('src/features/deals/deal-list.tsx', "import 'react'")).toBe(false)
})

test('every file that is named for it is there', () => {
  expect(shaping.filter((name) => !existsSync(`src/lib/${name}.ts`))).toEqual([])
})

test('comments change no answer', () => {
  const code = "const url = 'https://a.example' // why\n"
  expect(codeOf(`/** What. */\n/*\n * More.\n */\n  // Why.\n${code}`)).toBe(code)
})
