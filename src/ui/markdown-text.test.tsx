import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MarkdownText } from './markdown-text.tsx'

afterEach(cleanup)

function show(text: string): HTMLElement {
  return render(<MarkdownText text={text} />).container
}

test('emphasis, lists and line breaks are shown', () => {
  const page = show('**bold**\nnext line\n\n- one\n- two')
  expect(page.querySelector('strong')?.textContent).toBe('bold')
  expect(page.querySelectorAll('br')).toHaveLength(1)
  expect(page.querySelectorAll('li')).toHaveLength(2)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc=x></iframe>',
  '<svg onload=alert(1)>',
])('raw HTML stays text: %s', (text) => {
  const page = show(`before ${text} after`)
  expect(page.textContent).toContain(text)
  expect(page.querySelector('script, img, a, iframe, svg')).toBeNull()
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java&#115;cript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '//elsewhere.example/x',
  '/app/settings',
])('%s is no link', (address) => {
  const page = show(`[words](${address}) ![picture](${address})`)
  expect(page.textContent).toContain('words')
  expect(page.querySelector('a, img')).toBeNull()
})

test('pages and mails are links that give nothing away', () => {
  const page = show('[page](https://acme.com) <mailto:a@acme.com> https://acme.com/x b@acme.com')
  const links = [...page.querySelectorAll('a')]
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    'https://acme.com',
    'mailto:a@acme.com',
    'https://acme.com/x',
    'mailto:b@acme.com',
  ])
  for (const link of links) expect(link.rel).toContain('noopener')
})

test('a picture from elsewhere is a link to it, never loaded', () => {
  const page = show('![the plan](https://elsewhere.example/plan.png)')
  expect(page.querySelector('img')).toBeNull()
  expect(page.querySelector('a')?.textContent).toBe('the plan')
})

test('headings do not stand among those of the page, and boxes cannot be ticked', () => {
  const page = show('# Big\n\n- [x] done\n- [ ] open')
  expect(page.querySelector('h1, h2, h3, input')).toBeNull()
  expect(page.textContent).toContain('☑ done')
})

test.each([
  ['stars', '*'.repeat(50_000)],
  ['brackets', '['.repeat(50_000)],
  ['backticks', '`a'.repeat(25_000)],
  ['emphasis', '*a_'.repeat(16_000)],
  ['quotes', '> '.repeat(20_000)],
  ['angles', '<a '.repeat(16_000)],
])(
  'the longest text of nothing but %s is shown, and does not take for ever',
  { timeout: 60_000 },
  (_name, text) => {
    // A parser that goes back over what it has read would need minutes.
    expect(show(text).childElementCount).toBeGreaterThan(0)
  },
)
