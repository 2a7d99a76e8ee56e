import { mailProblemOf, mailProblemWords } from './mail-problems.ts'

/** Why a mail has not left. */
export type SendProblem = {
  words: string
  /** It makes no sense to try it again as it is. */
  isFinal: boolean
  /** It lies in the account, not in the mail: others would not leave either. */
  isOfAccount: boolean
}

type Failure = { code?: unknown; command?: unknown; response?: unknown; responseCode?: unknown }

/** What a server answered, as a line that can be shown. */
function quoted(response: unknown): string {
  const words = String(response ?? '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return words.length > 300 ? `${words.slice(0, 300)}…` : words
}

/** What the server of an account answered about one person, or one mail. */
export function refusalWords(host: string, response: unknown, isFinal: boolean): string {
  const words = quoted(response)
  return isFinal
    ? `The server ${host} refused: “${words}”. It wasn’t sent.`
    : `The server ${host} asks to wait: “${words}”. Retrying automatically.`
}

/** Whether an answer of a mail server is for good; 4xx asks to try again later. */
export function isFinalAnswer(response: unknown): boolean {
  const words = String(response)
  return /^5\d\d/.test(words) && !isLimitOfSending(words)
}

/**
 * Whether as many have left as are allowed in a day or an hour: for good only by its number. Gmail says 5.4.5, Exchange
 * SubmissionQuotaExceeded; iCloud and many hosters say it in words alone.
 */
function isLimitOfSending(words: string): boolean {
  if (/\b5\.4\.5\b|SubmissionQuotaExceeded/i.test(words)) return true
  return (
    /\b(exceed|reach)/i.test(words) &&
    /\b(limit|quota|max)/i.test(words) &&
    /\b(daily|hourly|sending|(per|an?|24)[- ]?(day|hour)s?)\b/i.test(words)
  )
}

/** Why the server for sending did not take a mail, by the error of its connection. */
export function sendProblemOf(error: unknown, host: string, port: number): SendProblem {
  const { code, command, response, responseCode } = (error ?? {}) as Failure
  if (code === 'EAUTH') {
    const isFinal = isFinalAnswer(response) || !response
    const words = mailProblemWords(mailProblemOf(error), host, port)
    return isFinal
      ? { words: `${words} It wasn’t sent.`, isFinal, isOfAccount: true }
      : { words: refusalWords(host, response, false), isFinal, isOfAccount: true }
  }
  if (typeof responseCode === 'number') {
    const isFinal = isFinalAnswer(response)
    // Before anybody was named, or because too many have left: it is not about this mail.
    const isEarly = command !== 'RCPT TO' && command !== 'DATA'
    const isOfAccount = !isFinal && (isEarly || responseCode === 421 || responseCode >= 500)
    return { words: refusalWords(host, response, isFinal), isFinal, isOfAccount }
  }
  if (code === 'EMESSAGE') {
    const words = `The server ${host} doesn’t take emails this large. It wasn’t sent; remove a file.`
    return { words, isFinal: true, isOfAccount: false }
  }
  if (code === 'EENVELOPE') {
    const words = `The server ${host} can’t send to one of these addresses. It wasn’t sent.`
    return { words, isFinal: true, isOfAccount: false }
  }
  const words = mailProblemWords(mailProblemOf(error), host, port)
  return {
    words: words.includes('Retrying') ? words : `${words} Retrying automatically.`,
    isFinal: false,
    isOfAccount: true,
  }
}

/** Of a mail that may have left, where that could not be found out before another try. */
export const maybeSentUnseenWords =
  'This email may have been sent before, and the sent folder could not be looked at. It wasn’t sent again: look there yourself, or try again later.'

/** Of a mail whose end was handed over, and of which nobody heard whether it was taken. */
export const maybeSentWords =
  'The connection ended just as this email was being sent. It may have been sent: check your Sent folder, or ask, before you send it again.'
