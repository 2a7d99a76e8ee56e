import type { DeletedAccountKey } from '#lib/deleted-account.ts'
import { handOverMailLink } from './mail-links.ts'

handOverMailLink()
showDeletedNotice()
showSession()
closeMenuBehind()
showCaptions()
playInDialog()

/** Shows once that the account was deleted, in an existing live region, so that screen readers read it. */
function showDeletedNotice(): void {
  const key: DeletedAccountKey = 'solo-account-deleted'
  const place = document.querySelector('.site-notice')
  try {
    if (!place || sessionStorage.getItem(key) === null) return
    sessionStorage.removeItem(key)
    place.textContent = 'Your account and all its data have been deleted.'
  } catch {
    // Without storage there is no message.
  }
}

/** Shows a link to the app for a visitor with a stored session; the app checks whether it is valid. */
function showSession(): void {
  let names: string[] = []
  try {
    names = Object.keys(localStorage)
  } catch {
    // Without storage nobody is signed in.
  }
  const isUser = names.some((name) => /^sb-.+-auth-token$/.test(name))
  for (const links of document.querySelectorAll<HTMLElement>('[data-for]')) {
    links.hidden = (links.dataset.for === 'user') !== isUser
  }
}

/** Closes the phone menu after a link in it was pressed. */
function closeMenuBehind(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.site-menu')
  menu?.querySelector('nav')?.addEventListener('click', () => {
    menu.open = false
  })
}

/** Shows the captions of the silent video. As default captions they would be loaded with the page. */
function showCaptions(): void {
  for (const video of document.querySelectorAll('video')) {
    const show = () => {
      for (const track of video.textTracks) track.mode = 'showing'
    }
    video.addEventListener('play', show, { once: true })
  }
}

/** Plays the video when the dialog opens, and stops it when it closes. */
function playInDialog(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#demo-dialog')
  const video = dialog?.querySelector('video')
  const button = document.querySelector('[data-opens="demo-dialog"]')
  if (!dialog || !video || !button) return
  button.addEventListener('click', () => {
    dialog.showModal()
    // If autoplay is blocked, the user can press play.
    video.play().catch(() => {})
    video.focus()
  })
  dialog.addEventListener('close', () => video.pause())
  // A click on the backdrop closes the dialog.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}
