import { describe, expect, it } from 'vitest'
import type { OutgoingAnswer } from '../outgoing/request.ts'
import { loginOf, readingLoginOf } from './account.ts'
import { findServers, type Names } from './find-servers.ts'

const rule = { allowPrivate: false }
const silent: Names = { srv: async () => [], mx: async () => [] }

/** What is asked for, and what is found, where the domain has this file. */
async function find(
  address: string,
  names: Partial<Names> = {},
  file: string | null = null,
  place = 'autoconfig.',
) {
  const asked: string[] = []
  const found = await findServers(address, rule, { ...silent, ...names }, async ({ url }) => {
    asked.push(url)
    const answer: OutgoingAnswer = {
      status: file === null || !url.includes(place) ? 404 : 200,
      headers: {},
      body: Buffer.from(file ?? ''),
      isCut: false,
    }
    return answer
  })
  return { found, asked }
}

const server = (element: string, type: string, values: Record<string, string>) =>
  `<${element} type="${type}">${Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</${element}>`
const imap = (hostname: string, port: string, socketType: string) =>
  server('incomingServer', 'imap', { hostname, port, socketType })

it('reads mails of iCloud by the name alone, and sends by the address', () => {
  const account = { address: 'ada@icloud.com', login: null, imap_host: 'imap.mail.me.com' }
  expect([readingLoginOf(account), loginOf(account)]).toEqual(['ada', 'ada@icloud.com'])
  expect(readingLoginOf({ ...account, login: 'eve' })).toBe('eve')
  expect(readingLoginOf({ ...account, address: 'ada@own.example' })).toBe('ada@own.example')
})

describe('findServers', () => {
  it('knows the common providers, also by where the mail of a domain goes, and asks nobody', async () => {
    const gmail = await find('ada@gmail.com')
    expect(gmail.found).toMatchObject({ imap: { host: 'imap.gmail.com', port: 993 } })
    const own = await find('ada@acme.example', { mx: async () => ['aspmx.l.google.com'] })
    expect(own.found).toMatchObject({ imap: { host: 'imap.gmail.com' } })
    const german = await find('ada@acme.example', { mx: async () => ['mx00.kundenserver.de'] })
    expect(german.found).toMatchObject({ imap: { host: 'imap.ionos.de' } })
    expect([...gmail.asked, ...own.asked, ...german.asked]).toEqual([])
  })

  it('takes what the records of the domain say, encrypted ways first', async () => {
    const names: string[] = []
    const records: Record<string, { name: string; port: number }> = {
      '_imap._tcp.acme.example': { name: 'Plain.acme.example', port: 143 },
      '_submissions._tcp.acme.example': { name: 'smtp.acme.example', port: 465 },
      '_submission._tcp.acme.example': { name: 'late.acme.example', port: 587 },
    }
    const { found, asked } = await find('ada@ACME.example', {
      srv: async (name) => {
        names.push(name)
        const record = records[name]
        return record ? [record] : []
      },
    })
    expect(found).toMatchObject({
      imap: { host: 'plain.acme.example', port: 143, security: 'starttls' },
      smtp: { host: 'smtp.acme.example', port: 465, security: 'tls' },
    })
    expect(names.slice(0, 2)).toEqual(['_imaps._tcp.acme.example', '_imap._tcp.acme.example'])
    expect(asked).toEqual([])
  })

  it('reads the file of the domain, and takes nothing of it without encryption', async () => {
    const { found, asked } = await find(
      'ada@acme.example',
      {
        mx: () => Promise.reject(new Error('no such name')),
        srv: () => Promise.reject(new Error('no such name')),
      },
      `<clientConfig>${server('incomingServer', 'pop3', { hostname: 'pop.acme.example', port: '995', socketType: 'SSL' })}
       ${imap('open.acme.example', '143', 'plain')}${imap('imap.acme.example', '993', 'SSL')}
       ${server('outgoingServer', 'smtp', { hostname: 'smtp.acme.example', port: '587', socketType: 'STARTTLS' })}</clientConfig>`,
    )
    expect(asked).toEqual(['https://autoconfig.acme.example/mail/config-v1.1.xml'])
    expect(found).toMatchObject({
      provider: null,
      imap: { host: 'imap.acme.example', port: 993, security: 'tls' },
      smtp: { host: 'smtp.acme.example', port: 587, security: 'starttls' },
    })
  })

  it('looks at both places of the file, and takes the name to sign in with', async () => {
    const byName = server('incomingServer', 'imap', {
      ...{ hostname: 'imap.acme.example', port: '993', socketType: 'SSL' },
      username: '%EMAILLOCALPART%',
    })
    const { found, asked } = await find('Ada@acme.example', {}, byName, '/.well-known/')
    expect(asked).toEqual([
      'https://autoconfig.acme.example/mail/config-v1.1.xml',
      'https://acme.example/.well-known/autoconfig/mail/config-v1.1.xml',
    ])
    expect(found).toMatchObject({ imap: { host: 'imap.acme.example' }, login: 'Ada' })
    const whole = byName.replace('%EMAILLOCALPART%', '%EMAILADDRESS%')
    expect((await find('ada@acme.example', {}, whole)).found).not.toHaveProperty('login')
  })

  it.each([
    ['a port that is none', imap('imap.acme.example', '99999', 'SSL')],
    ['an address with a way in it', imap('imap.acme.example/../x', '993', 'SSL')],
    ['no end', `<incomingServer type="imap">${'<hostname>x'.repeat(5000)}`],
    ['no words', ''],
  ])('finds nothing in a file with %s', async (_what, file) => {
    expect((await find('ada@acme.example', {}, file)).found).not.toHaveProperty('imap')
  })

  it.each(['ada', 'ada@localhost', 'ada@127.0.0.1:80', 'ada@a b.example', 'ada@evil.example/x'])(
    'asks nobody about %s',
    async (address) => {
      const names: string[] = []
      const note = async (name: string) => {
        names.push(name)
        return []
      }
      const { asked, found } = await find(address, { srv: note, mx: note })
      expect([...asked, ...names]).toEqual([])
      expect(found).not.toHaveProperty('imap')
    },
  )
})
