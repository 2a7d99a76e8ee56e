import { Resolver } from 'node:dns/promises'
import {
  type MailServer,
  type MailServers,
  mailProvider,
  unknownPassword,
} from '#domain/mail-providers.ts'
import { requestOutgoing } from '../outgoing/request.ts'
import type { MailRule } from './connect.ts'

/** What is known about the mail of an address. */
export type FoundServers = Partial<MailServers> & {
  /** The name to sign in with, where it is not the address. */
  login?: string
  provider: string | null
  password: string
  isOAuthOnly: boolean
}

/** Asks the names of the internet; in tests something else. */
export type Names = {
  srv(name: string): Promise<{ name: string; port: number }[]>
  mx(name: string): Promise<string[]>
}

const resolver = new Resolver({ timeout: 3000, tries: 2 })

const internetNames: Names = {
  srv: async (name) =>
    (await resolver.resolveSrv(name))
      .filter(({ name: host, port }) => host !== '' && host !== '.' && port > 0)
      .sort((one, other) => one.priority - other.priority || other.weight - one.weight),
  mx: async (name) => (await resolver.resolveMx(name)).map(({ exchange }) => exchange),
}

/**
 * The servers of an address: of a common provider by our own table, otherwise by what the domain itself says, in SRV
 * records or in the file that mail programs read. Nobody else is asked.
 */
export async function findServers(
  address: string,
  rule: MailRule,
  names: Names = internetNames,
  request: typeof requestOutgoing = requestOutgoing,
): Promise<FoundServers> {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return nothing
  const known = mailProvider(domain) ?? mailProvider(domain, await names.mx(domain).catch(() => []))
  if (known) {
    const { name, imap, smtp, password, isOAuthOnly = false } = known
    return { provider: name, imap, smtp, password, isOAuthOnly }
  }
  const byRecords = await serversByRecords(domain, names)
  if (byRecords.imap) return { ...nothing, ...byRecords }
  return { ...nothing, ...(await serversByFile(address, domain, rule, request)) }
}

const nothing: FoundServers = { provider: null, password: unknownPassword, isOAuthOnly: false }

async function serversByRecords(domain: string, names: Names): Promise<Partial<MailServers>> {
  async function first(service: string, security: MailServer['security']) {
    const [found] = await names.srv(`${service}._tcp.${domain}`).catch(() => [])
    return found ? { host: found.name.toLowerCase(), port: found.port, security } : null
  }
  const imap = (await first('_imaps', 'tls')) ?? (await first('_imap', 'starttls'))
  const smtp = (await first('_submissions', 'tls')) ?? (await first('_submission', 'starttls'))
  return imap ? { imap, smtp } : {}
}

async function serversByFile(
  address: string,
  domain: string,
  rule: MailRule,
  request: typeof requestOutgoing,
): Promise<Partial<FoundServers>> {
  // Both places at which mail programs look.
  for (const place of [`autoconfig.${domain}/mail`, `${domain}/.well-known/autoconfig/mail`]) {
    const text = await fileAt(`https://${place}/config-v1.1.xml`, rule, request)
    const imap = serverIn(text, 'incomingServer', 'imap')
    if (!imap) continue
    const { username, ...server } = imap
    const smtp = serverIn(text, 'outgoingServer', 'smtp')
    const isByName = username?.toUpperCase() === '%EMAILLOCALPART%'
    return {
      imap: server,
      smtp: smtp && { host: smtp.host, port: smtp.port, security: smtp.security },
      ...(isByName ? { login: address.slice(0, address.lastIndexOf('@')) } : {}),
    }
  }
  return {}
}

/** What lies at an address of the domain; nothing where that cannot be had. */
async function fileAt(
  url: string,
  rule: MailRule,
  request: typeof requestOutgoing,
): Promise<string> {
  try {
    const answer = await request({ method: 'GET', url, timeLimit: 5000, mostBytes: 100_000 }, rule)
    return answer.status === 200 ? answer.body.toString('utf8') : ''
  } catch {
    return ''
  }
}

function serverIn(
  text: string,
  element: string,
  type: string,
): (MailServer & { username: string | undefined }) | null {
  const blocks = text.match(new RegExp(`<${element}\\b[^>]*>[^]*?</${element}>`, 'g')) ?? []
  for (const block of blocks) {
    const value = (name: string) =>
      new RegExp(`<${name}>\\s*([^<\\s]{1,253})\\s*</${name}>`).exec(block)?.[1]
    const host = value('hostname')
    const port = Number(value('port'))
    const socket = value('socketType')?.toUpperCase()
    if (!block.includes(`type="${type}"`) || !host || !/^[\w.-]+$/.test(host)) continue
    if (!Number.isInteger(port) || port < 1 || port > 65_535) continue
    const found = { host: host.toLowerCase(), port, username: value('username') }
    if (socket === 'SSL') return { ...found, security: 'tls' }
    if (socket === 'STARTTLS') return { ...found, security: 'starttls' }
  }
  return null
}
