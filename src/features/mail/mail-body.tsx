import { Button } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { shownAs } from '#domain/files.ts'
import { quoteOf } from '#domain/mail.ts'
import { fetchAttachment, fetchPicture, type StoredMail } from './conversation/queries.ts'
import classes from './mail.module.css'
import { safePage } from './safe-page.ts'

/** What a mail says: its page in a frame without rights, or its plain text. */
export function MailBody({ mail }: { mail: StoredMail }) {
  const { body_html, body_text, is_cut } = mail
  return (
    <div className={classes.body}>
      {body_html ? (
        <PageBody mail={mail} html={body_html} />
      ) : body_text ? (
        <TextBody text={body_text} />
      ) : (
        <div className={classes.none}>This email has no text.</div>
      )}
      {is_cut && (
        <div className={classes.cut}>This email is very long. Read the rest in your mail app.</div>
      )}
    </div>
  )
}

function TextBody({ text }: { text: string }) {
  const { own, quoted } = useMemo(() => quoteOf(text), [text])
  const [isWhole, setIsWhole] = useState(false)
  return (
    <>
      <div className={classes.text} dir="auto">
        {own}
      </div>
      {quoted && (
        <>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? 'Hide quoted text' : 'Show quoted text'}
          </Button>
          {isWhole && (
            <div className={classes.quoted} dir="auto">
              {quoted}
            </div>
          )}
        </>
      )}
    </>
  )
}

/** At most so many are fetched for one mail. */
const mostPictures = 50
const mostBytes = 5_000_000

/** The pictures attached to the mail, read from the user's own mailbox: unlike remote ones, they tell the sender nothing. */
function useBroughtPictures(mail: StoredMail, html: string): ReadonlyMap<string, string> {
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map())
  const { id, attachments } = mail
  const wanted = JSON.stringify(
    safePage(html)
      .inline.map((cid) => attachments.find((file) => file.cid === cid))
      .filter((file) => file && shownAs(file.type) === 'image' && file.size <= mostBytes)
      .slice(0, mostPictures),
  )
  useEffect(() => {
    const files: StoredMail['attachments'] = JSON.parse(wanted)
    const left = new AbortController()
    const urls: string[] = []
    async function load(): Promise<void> {
      // One after the other: each is a connection to the mailbox.
      for (const { part, type, cid } of files) {
        const bytes = await fetchAttachment({ mail: id, part }, left.signal)
        if (left.signal.aborted) return
        const url = URL.createObjectURL(new Blob([bytes], { type }))
        urls.push(url)
        setFound((before) => new Map(before).set(`cid:${cid}`, url))
      }
    }
    // They can still be opened as attachments, which tells what is wrong.
    load().catch(() => {})
    return () => {
      left.abort()
      for (const url of urls) URL.revokeObjectURL(url)
    }
  }, [id, wanted])
  return found
}

function PageBody({ mail, html }: { mail: StoredMail; html: string }) {
  const [remote, setRemote] = useState<ReadonlyMap<string, string>>(new Map())
  const brought = useBroughtPictures(mail, html)
  const shown = useMemo(() => new Map([...remote, ...brought]), [remote, brought])
  const [isLoading, setIsLoading] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const [height, setHeight] = useState(120)
  const frame = useRef<HTMLIFrameElement>(null)
  const page = useMemo(() => safePage(html, shown), [html, shown])

  async function showPictures(): Promise<void> {
    setIsLoading(true)
    const found = new Map(remote)
    for (const url of page.pictures.slice(0, mostPictures)) {
      const picture = await fetchPicture(url)
      if (picture) found.set(url, picture)
    }
    setRemote(found)
    setIsAsked(true)
    setIsLoading(false)
  }
  const left = page.pictures.length

  return (
    <>
      {left > 0 && (
        <div className={classes.pictures} role={isAsked ? 'status' : undefined}>
          <span>
            {isAsked
              ? `${counted(left, 'picture')} couldn’t be loaded.`
              : 'Pictures aren’t loaded, so the sender doesn’t learn that you read this.'}
          </span>
          <Button variant="default" size="compact-sm" loading={isLoading} onClick={showPictures}>
            {isAsked ? 'Try again' : 'Show pictures'}
          </Button>
        </div>
      )}
      <iframe
        ref={frame}
        title="Email"
        className={classes.frame}
        // No scripts, whatever it holds. Its origin is ours only so that its height can be measured: never add
        // allow-scripts here.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={page.html}
        style={{ height }}
        onLoad={() => {
          const measured = frame.current?.contentDocument?.documentElement.scrollHeight ?? 0
          setHeight(Math.min(Math.max(measured, 60), 4000))
        }}
      />
    </>
  )
}
