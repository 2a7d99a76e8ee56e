import { z } from 'zod'
import { typedNumber } from './amount.ts'

const typedRate = z.string().transform((text) => (text.trim() === '' ? null : typedNumber(text)))

const problem = 'Enter a number above zero.'

/** What one unit of a currency is worth. */
export const rateSchema = z.object({
  rate: z
    .string()
    .transform(typedNumber)
    .pipe(z.number(problem).positive(problem).max(1e9, problem)),
})

/** Another currency of the account. The rate may be left out. */
export const newCurrencySchema = z.object({
  keep: z.enum(['keep', 'take']),
  rate: typedRate.pipe(z.number(problem).positive(problem).max(1e9, problem).nullable()),
})
