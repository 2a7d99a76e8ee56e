import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MailBody } from './mail-body.tsx'
import type { StoredMail } from './queries.ts'

afterEach(cleanup)

test('a page is shown in a frame that may run nothing, send nothing and lead nowhere by itself', () => {
  const mail = { id: 'one', body_html: '<p>Hello</p>', body_text: null, attachments: [] }
  render(
    <MantineProvider env="test">
      <MailBody mail={mail as unknown as StoredMail} />
    </MantineProvider>,
  )
  const frame = screen.getByTitle('Email')
  // Each right is listed: what is not here, such as scripts, forms and the window above, is denied.
  expect(frame.getAttribute('sandbox')?.split(' ').sort()).toEqual([
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    'allow-same-origin',
  ])
  expect(frame.getAttribute('srcdoc')).toContain('<p>Hello</p>')
  expect(frame.getAttribute('srcdoc')).toMatch(/Content-Security-Policy/i)
})
