import type { DeletedAccountKey } from '#lib/deleted-account.ts'
import { handOverMailLink } from './mail-links.ts'

handOverMailLink()
showDeletedNotice()
showSession()
closeMenuBehind()
showCaptions()
playInDialog()

/** The end of an account leads here. Said once, in a place that is there already, so that it is read out. */
function showDeletedNotice(): void {
  const key: DeletedAccountKey = 'solo-account-deleted'
  const place = document.querySelector('.site-notice')
  try {
    if (!place || sessionStorage.getItem(key) === null) return
    sessionStorage.removeItem(key)
    place.textContent = 'Your account and all its data have been deleted.'
  } catch {
    // Nothing is kept here, so nobody left word.
  }
}

/** A visitor with a session is led into the app; whether it still holds, the app finds out. */
function showSession(): void {
  let names: string[] = []
  try {
    names = Object.keys(localStorage)
  } catch {
    // Nothing is kept here, so nobody is signed in.
  }
  const isUser = names.some((name) => /^sb-.+-auth-token$/.test(name))
  for (const links of document.querySelectorAll<HTMLElement>('[data-for]')) {
    links.hidden = (links.dataset.for === 'user') !== isUser
  }
}

/** The menu of the phone opens by itself, but would stay open over what it led to. */
function closeMenuBehind(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.site-menu')
  menu?.querySelector('nav')?.addEventListener('click', () => {
    menu.open = false
  })
}

/** The video has no sound: its words are shown. As the default they would be loaded with the page. */
function showCaptions(): void {
  for (const video of document.querySelectorAll('video')) {
    const show = () => {
      for (const track of video.textTracks) track.mode = 'showing'
    }
    video.addEventListener('play', show, { once: true })
  }
}

/** The dialog plays as it opens, and is silent once it is closed. */
function playInDialog(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#demo-dialog')
  const video = dialog?.querySelector('video')
  const button = document.querySelector('[data-opens="demo-dialog"]')
  if (!dialog || !video || !button) return
  button.addEventListener('click', () => {
    dialog.showModal()
    // Where it may not play by itself, its button is there.
    video.play().catch(() => {})
    video.focus()
  })
  dialog.addEventListener('close', () => video.pause())
  // A click beside the picture closes, as everywhere.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}
