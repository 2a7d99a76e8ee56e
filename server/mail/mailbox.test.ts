import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../test-server.ts'
import { isRefusedForGood } from './kept-letters.ts'
import { createMailbox } from './mailbox.ts'

const mailFrom = 'Solo CRM <crm@example.com>'

/** The least a mail server must say; keeps the commands and messages it was given. */
async function startSmtpServer(refusals: Record<string, string> = {}) {
  const commands: string[] = []
  const messages: string[] = []
  function talk(socket: Socket) {
    let pending = ''
    let isInData = false
    socket.write('220 test\r\n')
    socket.on('data', (data) => {
      pending += data.toString()
      for (;;) {
        const end = isInData ? '\r\n.\r\n' : '\r\n'
        const index = pending.indexOf(end)
        if (index < 0) return
        const line = pending.slice(0, index)
        pending = pending.slice(index + end.length)
        if (isInData) messages.push(line)
        else commands.push(line)
        isInData = !isInData && line === 'DATA'
        const refusal = Object.entries(refusals).find(([start]) => line.startsWith(start))?.[1]
        socket.write(`${refusal ?? (isInData ? '354 go on' : '250 ok')}\r\n`)
      }
    })
  }
  const server = createServer(talk)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const bound = server.address()
  if (typeof bound !== 'object' || !bound) throw new Error('not listening')
  return { url: `smtp://127.0.0.1:${bound.port}`, commands, messages }
}

describe('without a mail server', () => {
  it('writes each message into a file of its own that only the owner can read', async () => {
    const dataDir = temporaryFolder()
    const mailbox = createMailbox({ smtpUrl: null, mailFrom, dataDir })
    for (const number of [1, 2, 3]) {
      await mailbox.send({
        to: 'ada@example.com',
        subject: `Mail ${number}`,
        text: 'Grüße',
        html: '<b>x</b>',
      })
    }
    const folder = join(dataDir, 'outbox')
    const names = (await readdir(folder)).sort()
    expect(names).toHaveLength(3)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(/\.eml$/)
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
      const message = await readFile(join(folder, name), 'utf8')
      expect(message).toContain(`Subject: Mail ${index + 1}\r\n`)
      expect(message).toContain('To: ada@example.com\r\n')
      expect(message).toContain(`From: ${mailFrom}\r\n`)
      expect(message).toContain('multipart/alternative')
      expect(message).toContain('Gr=C3=BC=C3=9Fe')
    }
  })

  it('forgets the mails about an account, and no others', async () => {
    const dataDir = temporaryFolder()
    const mailbox = createMailbox({ smtpUrl: null, mailFrom, dataDir })
    await mailbox.forget('4b7b0b4e-0000-4000-8000-000000000001')
    for (const account of [
      '4b7b0b4e-0000-4000-8000-000000000001',
      '4b7b0b4e-0000-4000-8000-000000000002',
    ]) {
      await mailbox.send({ to: 'ada@example.com', subject: 'Hello', text: 'Words', account })
    }
    await mailbox.send({ to: 'ada@example.com', subject: 'Hello', text: 'Words' })
    await mailbox.forget('4b7b0b4e-0000-4000-8000-000000000001')
    const names = await readdir(join(dataDir, 'outbox'))
    expect(names).toHaveLength(2)
    expect(names.filter((name) => name.includes('000000000001'))).toEqual([])
  })

  it.each([
    ['a line break in the subject', 'ada@example.com', 'Hi\r\nBcc: eve@example.com'],
    ['a line break in the address', 'ada@example.com\r\nBcc: eve@example.com', 'Hi'],
    ['two addresses', 'ada@example.com,eve@example.com', 'Hi'],
    ['a name and an address', 'Ada <ada@example.com>', 'Hi'],
    ['no address', 'ada', 'Hi'],
  ])('refuses %s', async (_what, to, subject) => {
    const dataDir = temporaryFolder()
    const mailbox = createMailbox({ smtpUrl: null, mailFrom, dataDir })
    await expect(mailbox.send({ to, subject, text: 'x' })).rejects.toThrow(/^A mail/)
    expect(await readdir(dataDir)).toEqual([])
  })
})

describe('with a mail server', () => {
  it('hands the message over by SMTP', async () => {
    const smtp = await startSmtpServer()
    const mailbox = createMailbox({ smtpUrl: smtp.url, mailFrom, dataDir: temporaryFolder() })
    onTestFinished(() => mailbox.close())
    await mailbox.send({ to: 'ada@example.com', subject: 'Hello', text: 'Words' })
    expect(smtp.commands).toContain('MAIL FROM:<crm@example.com>')
    expect(smtp.commands).toContain('RCPT TO:<ada@example.com>')
    expect(smtp.messages).toHaveLength(1)
    expect(smtp.messages[0]).toContain('Subject: Hello')
    expect(smtp.messages[0]).toContain('Words')
  })

  it('tells a mail that will never be taken from a server that is away or refuses us', async () => {
    const refuses = async (url: string) => {
      const mailbox = createMailbox({ smtpUrl: url, mailFrom, dataDir: temporaryFolder() })
      onTestFinished(() => mailbox.close())
      const sending = mailbox.send({ to: 'ada@example.com', subject: 'Hello', text: 'Words' })
      return isRefusedForGood(
        await sending.then(
          () => 'sent',
          (error: unknown) => error,
        ),
      )
    }
    const answering = async (refusals: Record<string, string>) =>
      refuses((await startSmtpServer(refusals)).url)
    expect(await answering({ 'RCPT TO': '550 no such mailbox' })).toBe(true)
    expect(await answering({ DATA: '554 looks like spam' })).toBe(true)
    expect(await answering({ 'RCPT TO': '450 busy' })).toBe(false)
    expect(await answering({ 'MAIL FROM': '550 who are you' })).toBe(false)
    expect(await refuses('smtp://127.0.0.1:1')).toBe(false)
  })
})
