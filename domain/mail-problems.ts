/** Why a mail server cannot be used. */
export type MailProblem =
  | 'name'
  | 'private'
  | 'port'
  | 'slow'
  | 'certificate'
  | 'security'
  | 'password'
  | 'oauth'
  | 'key'
  | 'lost'
  | 'full'
  | 'refused'

/** What the user reads: what happened, and what to do. */
export function mailProblemWords(problem: MailProblem, host: string, port: number): string {
  switch (problem) {
    case 'name':
      return `The server ${host} can’t be found. Check how its name is spelled.`
    case 'private':
      return `The server ${host} is in a private network, where this installation doesn’t connect. Ask your administrator to allow it.`
    case 'port':
      return `The server ${host} doesn’t answer on port ${port}. Check the port.`
    case 'slow':
      return `The server ${host} didn’t answer in time on port ${port}. Check the port, or try again later.`
    case 'certificate':
      return `The certificate of ${host} isn’t valid for that name, so the connection isn’t safe and the password wasn’t sent. Check the name of the server.`
    case 'security':
      return `The server ${host} uses another protocol on port ${port}. Choose the other kind of encryption, or another port.`
    case 'password':
      return `The server ${host} refused the user name or the password. Many providers want an app password instead of the usual one.`
    case 'oauth':
      return `The server ${host} only allows OAuth, which doesn’t work here yet.`
    case 'key':
      return 'The key that the password was encrypted with is gone. Enter the password again.'
    case 'lost':
      return `The connection to ${host} was lost. Retrying automatically.`
    case 'full':
      return `The mailbox on ${host} is full. Delete something there.`
    case 'refused':
      return `The server ${host} refused. Try again later.`
  }
}

type Failure = {
  name?: unknown
  code?: unknown
  originalCode?: unknown
  message?: unknown
  authenticationFailed?: unknown
  responseText?: unknown
  serverResponseCode?: unknown
  responseCode?: unknown
}

const codes: Record<string, MailProblem> = {
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ECONNREFUSED: 'port',
  EHOSTUNREACH: 'port',
  ENETUNREACH: 'port',
  ETIMEDOUT: 'slow',
  ETIMEOUT: 'slow',
  CONNECT_TIMEOUT: 'slow',
  GREETING_TIMEOUT: 'security',
  UPGRADE_TIMEOUT: 'security',
  EAUTH: 'password',
  ETLS: 'security',
  ECONNECTION: 'lost',
  ESOCKET: 'lost',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  NoConnection: 'lost',
  EConnectionClosed: 'lost',
  ClosedAfterConnectText: 'security',
  ClosedAfterConnectTLS: 'security',
}

/** What went wrong, by the error of a connection to a mail server. */
export function mailProblemOf(error: unknown): MailProblem {
  if (typeof error !== 'object' || error === null) return 'refused'
  const { name, message, authenticationFailed, responseText, originalCode } = error as Failure
  // Some errors are wrapped; what is inside tells more.
  const code = originalCode ?? (error as Failure).code
  if (name === 'AddressRefused') return 'private'
  if (name === 'NameUnknown') return 'name'
  const words = `${String(message ?? '')} ${String(responseText ?? '')}`
  if (authenticationFailed || (error as Failure).code === 'EAUTH') {
    return /oauth|xoauth2|modern auth|basic auth/i.test(words) ? 'oauth' : 'password'
  }
  if ((error as Failure).serverResponseCode === 'OVERQUOTA' || /over ?quota/i.test(words)) {
    return 'full'
  }
  const known = typeof code === 'string' ? codes[code] : undefined
  if (/^(ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(String(code))) {
    return 'certificate'
  }
  if (/certificate|altnames/i.test(words)) return 'certificate'
  if (
    /^ERR_SSL|EPROTO/.test(String(code)) ||
    /wrong version number|starttls|greeting/i.test(words)
  ) {
    return 'security'
  }
  return known ?? 'refused'
}
