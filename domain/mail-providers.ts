/** How a provider of mail is reached, and what it wants for a password. */
type MailProvider = {
  name: string
  /** Domains of its addresses. */
  domains: readonly string[]
  /** How the names of its servers for incoming mail end, by which it is known for domains of its customers. */
  exchangers: readonly string[]
  imap: MailServer
  smtp: MailServer
  /** What to do for a password that programs may use, in the provider's own terms. */
  password: string
  /** How many mails an hour a person may send without being taken for a spammer: ours, where the provider says nothing. */
  pace: number
  /**
   * How many mails it takes in 24 hours, where it says so: of addresses of its own, and of a customer's own domain. Some
   * count recipients; what they then refuse is tried again (`send-problems.ts`). Read in November 2026.
   */
  perDay?: { own?: number; others?: number }
  /** It puts what it sends into the sent folder itself. */
  storesSent?: boolean
  /** Its IMAP server wants the part of the address before the @, and its SMTP server the whole. */
  readsByName?: boolean
  /** It lets programs in only by OAuth, which does not work here yet. */
  isOAuthOnly?: boolean
}

export type MailServer = { host: string; port: number; security: 'tls' | 'starttls' }

export type MailServers = { imap: MailServer; smtp: MailServer | null }

const tls = (host: string, port: number): MailServer => ({ host, port, security: 'tls' })
const starttls = (host: string, port: number): MailServer => ({ host, port, security: 'starttls' })

/** Common providers, so that nobody has to look up the names of their servers. */
const mailProviders: readonly MailProvider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    exchangers: ['google.com', 'googlemail.com'],
    imap: tls('imap.gmail.com', 993),
    smtp: tls('smtp.gmail.com', 465),
    pace: 100,
    // support.google.com/mail/answer/22839; Workspace: support.google.com/a/answer/166852 (500 while on trial).
    perDay: { own: 500, others: 2000 },
    storesSent: true,
    password:
      'Turn on 2-Step Verification in your Google Account, then create an “app password” at myaccount.google.com/apppasswords and enter its 16 letters here. A Workspace whose administrator forbids app passwords only allows OAuth, which doesn’t work here yet.',
  },
  {
    name: 'Outlook',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de'],
    exchangers: ['outlook.com'],
    imap: tls('outlook.office365.com', 993),
    smtp: starttls('smtp.office365.com', 587),
    pace: 100,
    // Exchange Online: 10,000 recipients a day, 30 mails a minute (its service limits). Of free addresses Microsoft only says
    // that the limit depends on how they are used.
    perDay: { others: 10_000 },
    storesSent: true,
    password:
      'Microsoft only lets programs in with “Modern Authentication” (OAuth), which doesn’t work here yet. Passwords and app passwords are refused.',
    isOAuthOnly: true,
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchangers: ['icloud.com'],
    imap: tls('imap.mail.me.com', 993),
    smtp: starttls('smtp.mail.me.com', 587),
    pace: 100,
    // support.apple.com/102198: 1,000 mails and 1,000 recipients.
    perDay: { own: 1000, others: 1000 },
    readsByName: true,
    password:
      'Sign in at account.apple.com, open “Sign-In and Security”, then “App-Specific Passwords”, generate one and enter it here.',
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'yahoo.de', 'yahoo.co.uk', 'yahoo.fr', 'ymail.com', 'aol.com'],
    exchangers: ['yahoodns.net'],
    imap: tls('imap.mail.yahoo.com', 993),
    smtp: tls('smtp.mail.yahoo.com', 465),
    pace: 90,
    // Yahoo says so of its business mail (help.yahoo.com, SLN17518) and nothing of free ones: the same is kept to.
    perDay: { own: 500 },
    password:
      'Open “Account security”, choose “Generate app password”, and enter the password it shows here.',
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    exchangers: ['messagingengine.com'],
    imap: tls('imap.fastmail.com', 993),
    smtp: tls('smtp.fastmail.com', 465),
    // Its limits depend on the plan (fastmail.com/help/account/limits.html); no number of them is held here.
    pace: 200,
    password:
      'Open Settings › “Privacy & Security” › “Manage app passwords and access”, create a “New app password” for Mail, and enter it here.',
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    exchangers: ['gmx.net'],
    imap: tls('imap.gmx.net', 993),
    smtp: tls('mail.gmx.net', 465),
    // GMX and WEB.DE tell no number.
    pace: 60,
    password:
      'Allow “POP3 und IMAP Zugriff” in the mail settings of GMX first. With two-factor authentication, create an “anwendungsspezifisches Passwort”.',
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    exchangers: ['web.de'],
    imap: tls('imap.web.de', 993),
    smtp: starttls('smtp.web.de', 587),
    pace: 60,
    password:
      'Allow “POP3 und IMAP Zugriff” in the mail settings of WEB.DE first. With two-factor authentication, create an “anwendungsspezifisches Passwort”.',
  },
  {
    name: 'Zoho Mail',
    domains: ['zoho.com', 'zohomail.com'],
    exchangers: ['zoho.com', 'zoho.eu'],
    imap: tls('imap.zoho.com', 993),
    smtp: tls('smtp.zoho.com', 465),
    // zoho.com/mail/help/adminconsole/rates-and-limits.html: 50 to 500 an hour, by the sender’s reputation.
    pace: 50,
    storesSent: true,
    password:
      'Turn on “IMAP Access” in the mail settings. With two-factor authentication, create an “application-specific password” at accounts.zoho.com.',
  },
  {
    name: 'IONOS',
    domains: ['ionos.de', 'online.de', 'onlinehome.de'],
    exchangers: ['ionos.de', 'kundenserver.de'],
    imap: tls('imap.ionos.de', 993),
    smtp: tls('smtp.ionos.de', 465),
    // ionos.com/help, “What are the mass mailing limits”: 50 an hour in the first week, 100 in the second, then 400 and 500. What
    // is refused for it is a 450, which is tried again.
    pace: 200,
    password: 'Use the password of the mailbox.',
  },
  {
    name: 'IONOS',
    domains: ['ionos.com'],
    exchangers: ['ionos.com', 'perfora.net'],
    imap: tls('imap.ionos.com', 993),
    smtp: tls('smtp.ionos.com', 465),
    pace: 200,
    password: 'Use the password of the mailbox.',
  },
]

/** The provider whose address this is, or whose servers take the mail of its domain. */
export function mailProvider(domain: string, exchangers: readonly string[] = []) {
  const wanted = domain.toLowerCase()
  return (
    mailProviders.find(({ domains }) => domains.includes(wanted)) ??
    mailProviders.find((provider) =>
      exchangers.some((name) =>
        provider.exchangers.some(
          (end) => name.toLowerCase() === end || name.toLowerCase().endsWith(`.${end}`),
        ),
      ),
    ) ??
    null
  )
}

/** What a provider nobody knows may be asked to send in an hour. */
const carefulPace = 60

function providerAt(smtpHost: string | null) {
  return mailProviders.find(({ smtp }) => smtp.host === smtpHost?.toLowerCase())
}

/** How many mails leave from an account; `perDay` is null where the provider names no limit. */
export type SendingPace = { perHour: number; perDay: number | null }

/** As its owner says, or as the provider allows; never more a day than the provider takes. */
export function paceOf(account: {
  pace: number | null
  smtp_host: string | null
  address: string
}): SendingPace {
  const provider = providerAt(account.smtp_host)
  const perHour = account.pace ?? provider?.pace ?? carefulPace
  const domain = account.address.split('@')[1]?.toLowerCase() ?? ''
  const isOwn = provider?.domains.includes(domain)
  return { perHour, perDay: (isOwn ? provider?.perDay?.own : provider?.perDay?.others) ?? null }
}

/** Why a mail waits though it is due: as many as the provider takes in a day have left. */
export function dayIsFullWords(smtpHost: string | null, perDay: number): string {
  const name = providerAt(smtpHost)?.name ?? 'The provider'
  return `${name} takes ${perDay} emails in 24 hours, and that many have been sent. This one is sent automatically when it may.`
}

/** The name that an address signs in with to read its mails, where its owner gave none. */
export function readingName(address: string, imapHost: string): string {
  const [name = '', domain = ''] = address.split('@')
  const provider = mailProviders.find(({ imap }) => imap.host === imapHost.toLowerCase())
  // A domain of the user's own has names that only its owner knows.
  const isOfProvider = provider?.readsByName && provider.domains.includes(domain.toLowerCase())
  return isOfProvider ? name : address
}

/**
 * Whether the server puts what it sends into the sent folder itself. Told by its name, because many domains are served
 * by the same providers. Of others the sent folder is looked at before a copy is put there.
 */
export function storesSentMails(smtpHost: string): boolean {
  return providerAt(smtpHost)?.storesSent ?? false
}

/** What to do for a password where the provider is not known. */
export const unknownPassword =
  'If your provider asks for a second factor when you sign in, create an app password in its security settings. Accounts that only allow OAuth don’t work here yet.'
