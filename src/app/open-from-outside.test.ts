import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sharePath } from '#lib/shared.ts'
import { opened } from './open-from-outside.tsx'

const manifest = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8'))

test('every shortcut of the installed app opens something', () => {
  const paths: string[] = manifest.shortcuts.map(({ url }: { url: string }) => url)
  expect(paths).toEqual(Object.keys(opened).map((what) => `/app/open/${what}`))
})

test('what is shared is sent to where the worker expects it', () => {
  expect(manifest.share_target.action).toBe(sharePath)
})
