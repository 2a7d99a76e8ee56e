import { resolve } from 'node:path'
import { z } from 'zod'

/** Where the data lives: the three ways to run. */
type BackendSettings =
  | { kind: 'embedded' }
  | { kind: 'postgres'; url: string }
  | { kind: 'supabase'; url: string; anonKey: string }

/** Everything the environment decides, read once at start. */
export type Settings = {
  port: number
  host: string
  dataDir: string
  /** Origin under which people reach the server, without a slash at the end; links in mails begin with it. */
  publicUrl: string
  backend: BackendSettings
  smtpUrl: string | null
  mailFrom: string
  confirmEmail: boolean
  /** The number of proxies in front of us that append to X-Forwarded-For; 0 ignores the header. */
  trustedProxies: number
  /** How long one statement of a request may take, in milliseconds. */
  statementLimit: number
  /** How large files may be, in megabytes: one, and all of an account. */
  files: { each: number; account: number }
  /** Connections that one address may hold open. */
  connectionsPerAddress: number
  /** Whether users may make the server connect to private addresses: see `server/outgoing`. */
  allowPrivateAddresses: boolean
  /** What passwords of accounts for mail are encrypted with; without it a file of the data folder has the key. */
  mailKey: string | null
  limits: {
    windowSeconds: number
    signIn: number
    signUp: number
    mail: number
    /** What one address may send to one form. */
    form: number
    /** Requests for data a minute, of one address and of one account. */
    perAddress: number
    perAccount: number
  }
}

/** A setting that stops the start. The message is one line that names the variable. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Settings whose values are never printed, valid or not. */
const secrets = new Set(['DATABASE_URL', 'SUPABASE_ANON_KEY', 'SMTP_URL', 'MAIL_KEY'])
const defaultMailFrom = 'Solo CRM <no-reply@localhost>'

function wholeNumber(min: number, max: number, fallback: number) {
  const error = `expected a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
    .default(fallback)
}

function address(protocols: string[], expected: string, isFine: (url: URL) => boolean) {
  return z.string().refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null
    return url !== null && protocols.includes(url.protocol) && isFine(url)
  }, `expected ${expected}`)
}

function hasNoExtras(url: URL): boolean {
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}

const variables = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'expected an IP address or a host name, such as 127.0.0.1 or ::1')
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: address(
    ['http:', 'https:'],
    'an http or https address without a path, such as https://crm.example.com',
    (url) => hasNoExtras(url) && url.pathname === '/',
  ).optional(),
  DATABASE_URL: address(
    ['postgres:', 'postgresql:'],
    'an address such as postgres://user:password@host:5432/database',
    () => true,
  ).optional(),
  SUPABASE_URL: address(
    ['http:', 'https:'],
    'the address of a Supabase project, such as https://abc.supabase.co',
    hasNoExtras,
  ).optional(),
  SUPABASE_ANON_KEY: z
    .string()
    .regex(/^[\w.-]+$/, "expected the project's public (anon or publishable) key")
    .optional(),
  SMTP_URL: address(
    ['smtp:', 'smtps:'],
    'an address such as smtps://user:password@mail.example.com:465',
    (url) => url.hostname !== '',
  ).optional(),
  // A line break here would let the setting write mail headers of its own.
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\r\n<>@]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/,
      'expected one line such as Solo CRM <crm@example.com>',
    )
    .optional(),
  CONFIRM_EMAIL: z.enum(['true', 'false'], 'expected true or false').optional(),
  TRUST_PROXY: z
    .string()
    .transform((value) => ({ true: '1', false: '0' })[value] ?? value)
    .pipe(z.string().regex(/^\d$/, 'expected true, false or the number of proxies (0 to 9)'))
    .transform(Number)
    .default(0),
  RATE_LIMIT_WINDOW_SECONDS: wholeNumber(1, 86_400, 900),
  RATE_LIMIT_SIGN_IN: wholeNumber(1, 1_000_000, 20),
  RATE_LIMIT_SIGN_UP: wholeNumber(1, 1_000_000, 10),
  RATE_LIMIT_MAIL: wholeNumber(1, 1_000_000, 5),
  RATE_LIMIT_FORM: wholeNumber(1, 1_000_000, 10),
  RATE_LIMIT_ADDRESS: wholeNumber(1, 100_000_000, 6000),
  RATE_LIMIT_ACCOUNT: wholeNumber(1, 100_000_000, 3000),
  STATEMENT_SECONDS: wholeNumber(1, 3600, 10),
  FILE_MEGABYTES: wholeNumber(1, 100, 25),
  FILE_QUOTA_MEGABYTES: wholeNumber(1, 1_000_000, 2048),
  CONNECTIONS_PER_ADDRESS: wholeNumber(1, 100_000, 250),
  ALLOW_PRIVATE_ADDRESSES: z.enum(['true', 'false'], 'expected true or false').optional(),
  MAIL_KEY: z.string().min(32, 'expected at least 32 random characters').optional(),
})

type Variables = z.infer<typeof variables>

/** Reads all settings or throws a {@link SettingsError}; an empty value counts as not set. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.keys(variables.shape).map((name) => [name, env[name]?.trim() || undefined]),
  )
  const result = variables.safeParse(given)
  if (!result.success) {
    const issue = result.error.issues[0]
    const name = String(issue?.path[0])
    throw new SettingsError(`${name}${shownValue(name, given[name])}: ${issue?.message}`)
  }
  const read = result.data
  if (read.SMTP_URL && !read.MAIL_FROM) {
    throw new SettingsError(
      'MAIL_FROM is not set: with SMTP_URL expected the sender, such as Solo CRM <crm@example.com>',
    )
  }
  if (read.FILE_QUOTA_MEGABYTES < read.FILE_MEGABYTES) {
    throw new SettingsError(
      `FILE_QUOTA_MEGABYTES is "${read.FILE_QUOTA_MEGABYTES}": expected at least FILE_MEGABYTES, ${read.FILE_MEGABYTES}`,
    )
  }
  return {
    port: read.PORT,
    host: read.HOST,
    dataDir: resolve(read.DATA_DIR),
    publicUrl: read.PUBLIC_URL ? new URL(read.PUBLIC_URL).origin : addressOf(read.HOST, read.PORT),
    backend: chooseBackend(read),
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? defaultMailFrom,
    confirmEmail: read.CONFIRM_EMAIL ? read.CONFIRM_EMAIL === 'true' : read.SMTP_URL !== undefined,
    trustedProxies: read.TRUST_PROXY,
    statementLimit: read.STATEMENT_SECONDS * 1000,
    files: { each: read.FILE_MEGABYTES, account: read.FILE_QUOTA_MEGABYTES },
    connectionsPerAddress: read.CONNECTIONS_PER_ADDRESS,
    allowPrivateAddresses: read.ALLOW_PRIVATE_ADDRESSES === 'true',
    mailKey: read.MAIL_KEY ?? null,
    limits: {
      windowSeconds: read.RATE_LIMIT_WINDOW_SECONDS,
      signIn: read.RATE_LIMIT_SIGN_IN,
      signUp: read.RATE_LIMIT_SIGN_UP,
      mail: read.RATE_LIMIT_MAIL,
      form: read.RATE_LIMIT_FORM,
      perAddress: read.RATE_LIMIT_ADDRESS,
      perAccount: read.RATE_LIMIT_ACCOUNT,
    },
  }
}

/** The address a browser on this machine can open; nobody can visit "every interface" (0.0.0.0, ::). */
export function addressOf(host: string, port: number): string {
  const visible = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${visible.includes(':') ? `[${visible}]` : visible}:${port}`
}

function chooseBackend(read: Variables): BackendSettings {
  const { DATABASE_URL: database, SUPABASE_URL: project, SUPABASE_ANON_KEY: anonKey } = read
  if (database && (project || anonKey)) {
    throw new SettingsError(
      'DATABASE_URL is set together with SUPABASE_URL or SUPABASE_ANON_KEY: expected one way to run',
    )
  }
  if (database) return { kind: 'postgres', url: database }
  if (project && anonKey) return { kind: 'supabase', url: project.replace(/\/+$/, ''), anonKey }
  if (project || anonKey) {
    const missing = project ? 'SUPABASE_ANON_KEY' : 'SUPABASE_URL'
    const present = project ? 'SUPABASE_URL' : 'SUPABASE_ANON_KEY'
    throw new SettingsError(`${missing} is not set: expected with ${present}, both or neither`)
  }
  return { kind: 'embedded' }
}

function shownValue(name: string, value: string | undefined): string {
  const mayHoldPassword = secrets.has(name) || value?.includes('@')
  if (value === undefined || mayHoldPassword) return ' has a value that cannot be used'
  return ` is ${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)}`
}
