import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words of other programs and languages, and one that older timelines hold. */
const elsewhere = ['domain/fields/headers.ts', 'domain/timeline.ts']

/** The strings, templates and JSX texts of a file; comments are left out. */
function textsOf(file: string): string[] {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  const texts: string[] = []
  JSON.stringify(program, (_key, node) => {
    if (node?.type === 'JSXText') texts.push(node.value)
    else if (node?.type === 'Literal' && typeof node.value === 'string') texts.push(node.value)
    else if (node?.type === 'TemplateElement') texts.push(node.value.raw)
    return typeof node === 'bigint' ? String(node) : node
  })
  return texts
}

function sources(): string[] {
  return ['src', 'domain', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)),
  )
}

test('the texts of a file are found, its comments are not', () => {
  const texts = textsOf('src/features/auth/email-field.tsx')
  expect(texts).toContain('Email')
  expect(texts.join()).not.toMatch(/for password managers/)
})

test('Email is spelled as in the specification, and what is gone no longer exists, in every text', () => {
  const files = sources().filter((name) => !elsewhere.includes(name))
  expect(files.length).toBeGreaterThan(500)
  const others = files.flatMap((file) =>
    textsOf(file)
      .filter((text) => /e-mail|any more|(is|are) there already/i.test(text))
      .map((text) => `${file}: ${text.trim()}`),
  )
  expect(others).toEqual([])
})
