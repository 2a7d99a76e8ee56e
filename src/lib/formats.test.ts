import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The only files that may write numbers, money, dates and times. */
const homes = ['domain/dates.ts', 'domain/figures.ts', 'domain/money.ts']

test('nothing else formats numbers or dates by itself, so that no screen forgets the habits', () => {
  const files = ['domain', 'src', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file).replaceAll('\\', '/'))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|test-/.test(file)),
  )
  expect(files.length).toBeGreaterThan(500)
  const own = /\.toLocale(?:Date|Time)?String\(|new Intl\.(?:Number|DateTime|RelativeTime)Format\(/
  const wrong = files.filter(
    (file) => !homes.includes(file) && own.test(readFileSync(file, 'utf8')),
  )
  expect(wrong).toEqual([])
})
