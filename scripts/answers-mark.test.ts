import { expect, test } from 'vitest'
import { answersMark, tellsOfAnswers } from './answers-mark.ts'

test('what is asked and what an answer is like makes another mark, what a screen looks like does not', () => {
  expect(answersMark()).toMatch(/^[0-9a-f]{16}$/)
  expect(tellsOfAnswers('src/features/deals/queries.ts', '')).toBe(true)
  expect(tellsOfAnswers('domain/log.ts', "import { z } from 'zod/mini'")).toBe(true)
  expect(tellsOfAnswers('domain/fields/deals.ts', '')).toBe(true)
  expect(tellsOfAnswers('src/features/deals/deal-list.tsx', "import 'react'")).toBe(false)
})
