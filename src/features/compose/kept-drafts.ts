import { everybody, type MailDraft } from '#domain/mail-draft.ts'
import type { ComposerRequest } from '#features/forms/index.ts'
import { deviceStore, keepsData } from '#lib/device-store.ts'
import { newId } from '#lib/new-id.ts'
import { rememberedUser } from '#lib/stored-session.ts'

/** What belongs to a draft: its record, the outbox mails that it replaces, and the files stored for it. */
export type DraftOf = Pick<ComposerRequest, 'subject' | 'outgoing' | 'undone' | 'storedFiles'>

/** A mail that nobody sent or discarded: the tab was closed by the system, or crashed. */
export type KeptDraft = { key: string; draft: MailDraft; of?: DraftOf; at: number }

const prefix = 'mail-draft '
/** In milliseconds, between two writes. */
const pause = 400

function store() {
  const user = rememberedUser()
  return user && keepsData() ? deviceStore(user.id) : null
}

/**
 * Keeps what is written on this device while it is written, so that a tab that dies loses nothing. Each composer has a
 * place of its own: two windows do not overwrite each other. `end` is called when it was sent or discarded, `leave` when
 * its screen is gone, whatever took it away.
 */
export function draftKeeper() {
  const key = `${prefix}${newId()}`
  let timer: ReturnType<typeof setTimeout> | undefined
  let unlock = () => {}
  let isOver = false
  let write: (() => void) | null = null
  // Tells other windows that it is being written; where the browser has no locks, they offer it too early.
  void navigator.locks?.request(
    key,
    () =>
      new Promise<void>((resolve) => {
        unlock = resolve
      }),
  )
  return {
    keep(draft: MailDraft | null, of: DraftOf = {}): void {
      clearTimeout(timer)
      if (isOver) return
      write = () => {
        write = null
        if (draft) void store()?.set(key, { draft: storable(draft), of, at: Date.now() })
        else void store()?.remove(key)
      }
      timer = setTimeout(() => write?.(), pause)
    },
    end(): void {
      clearTimeout(timer)
      isOver = true
      write = null
      void store()?.remove(key)
      unlock()
    },
    leave(): void {
      clearTimeout(timer)
      write?.()
      unlock()
    },
  }
}

/** Files that are not stored yet are not kept: they can be large. */
function storable(draft: MailDraft): MailDraft {
  return { ...draft, files: draft.files.filter(({ isStored }) => isStored) }
}

/** The newest mail that was left behind. */
export async function leftBehind(): Promise<KeptDraft | null> {
  return (await allLeftBehind())[0] ?? null
}

/** The mails that were left behind and are not being written in another window, the newest first. */
export async function allLeftBehind(): Promise<KeptDraft[]> {
  const place = store()
  if (!place) return []
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const alive = new Set(held.map(({ name }) => name))
  const keys = (await place.keys()).filter((key) => key.startsWith(prefix) && !alive.has(key))
  const found = await place.getMany<Omit<KeptDraft, 'key'>>(keys)
  const all = found.flatMap((kept, index) => (kept ? [{ ...kept, key: keys[index] ?? '' }] : []))
  return all.sort((one, other) => other.at - one.at)
}

export async function forgetDraft(key: string): Promise<void> {
  await store()?.remove(key)
}

/** 'to Ada Lovelace: The offer'. */
export function draftInWords(draft: MailDraft): string {
  const [first, ...others] = everybody(draft)
  const who = first ? ` to ${first.name || first.address}` : ''
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `${who}${more}${draft.subject.trim() ? `: “${draft.subject.trim()}”` : ''}`
}
