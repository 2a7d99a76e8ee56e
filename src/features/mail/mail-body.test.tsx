import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { beginSession } from '#lib/test-session.ts'
import type { StoredMail } from './conversation/queries.ts'
import { MailBody } from './mail-body.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const withPage = (body_html: string) =>
  render(
    <MantineProvider env="test">
      <MailBody
        mail={{ id: 'one', body_html, body_text: null, attachments: [] } as unknown as StoredMail}
      />
    </MantineProvider>,
  )

test('pictures that fail are told, and tried again alone', async () => {
  const endSession = beginSession()
  onTestFinished(endSession)
  // The one of jsdom knows only its own kind of bytes.
  vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader) {
    Object.defineProperty(this, 'result', { value: 'data:image/png;base64,eA==' })
    queueMicrotask(() => this.dispatchEvent(new ProgressEvent('load')))
  })
  const asked: string[] = []
  let isAway = true
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_input, init) => {
    const { url } = JSON.parse(String(init?.body)) as { url: string }
    asked.push(url)
    if (isAway && url.endsWith('b.png')) return Response.json({}, { status: 404 })
    return new Response('x', { headers: { 'content-type': 'image/png' } })
  })
  const pictures = ['a', 'b'].map((name) => `https://pictures.example/${name}.png`)
  withPage(pictures.map((url) => `<img src="${url}">`).join(''))
  fireEvent.click(screen.getByRole('button', { name: 'Show pictures' }))
  expect(await screen.findByText('1 picture couldn’t be loaded.')).toBeTruthy()
  isAway = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText(/couldn’t be loaded/)).toBeNull())
  expect(asked).toEqual([...pictures, pictures[1]])
})

test('a page is shown in a frame that may run nothing, send nothing and lead nowhere by itself', () => {
  withPage('<p>Hello</p>')
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
