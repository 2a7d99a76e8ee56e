import { describe, expect, it } from 'vitest'
import { agendaLinks } from './mail/agenda-link.ts'
import { fakeBackend, serveApp } from './test-server.ts'

const ada = '4b7b0b4e-0000-4000-8000-00000000000a'
const eve = '4b7b0b4e-0000-4000-8000-00000000000e'
const links = agendaLinks({ jwtSecret: 'a secret of this test' })

async function serve(end: (account: string) => Promise<void> = async () => {}) {
  const ended: string[] = []
  const backend = fakeBackend()
  backend.agenda = {
    isOffered: true,
    accountAt: links.accountAt,
    async end(account) {
      await end(account)
      ended.push(account)
    },
  }
  const { port } = await serveApp({ backend })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, init)
  return { ask, ended }
}

const press = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }

describe('the link that turns the agenda off', () => {
  it('asks when it is opened, and does it when the button is pressed, by whoever has it', async () => {
    const { ask, ended } = await serve()
    const page = await ask(links.pathFor(ada))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<form method="post">')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(ended).toEqual([])
    for (const init of [press, { method: 'POST' }]) {
      const done = await ask(links.pathFor(ada), init)
      expect(done.status).toBe(200)
      expect(await done.text()).toContain('The agenda is off')
    }
    expect(ended).toEqual([ada, ada])
  })

  const proof = links.pathFor(ada).split('/')[3] ?? ''
  it.each([
    ['another account’s', `/agenda/${eve}/${proof}`],
    ['a changed proof', `/agenda/${ada}/${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`],
    ['an empty proof', `/agenda/${ada}/`],
    ['a cut proof', `/agenda/${ada}/${proof.slice(0, -1)}`],
    ['a longer proof', `/agenda/${ada}/${proof}A`],
    ['no account', `/agenda//${proof}`],
    ['that of another server', agendaLinks({ jwtSecret: 'another' }).pathFor(ada)],
    ['nothing', '/agenda/'],
  ])('refuses %s, and changes nothing', async (_what, path) => {
    const { ask, ended } = await serve()
    for (const init of [{}, press]) {
      const answer = await ask(path, init)
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('Nothing was changed')
    }
    expect(ended).toEqual([])
  })

  it('says so where the database is away, and that the agenda is still on', async () => {
    const { ask } = await serve(async () => {
      throw new Error('away')
    })
    const answer = await ask(links.pathFor(ada), press)
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('The agenda is still on')
  })
})
