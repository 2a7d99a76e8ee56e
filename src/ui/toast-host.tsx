import '@mantine/notifications/styles.layer.css'
import { Button, Group, Portal, Text } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import type { MouseEvent } from 'react'
import classes from './toast.module.css'
import type { Toast } from './toast.tsx'

const readingTime = 5000
/** Long enough to decide about an action, and to read an error twice. */
const decidingTime = 10_000

const position = 'bottom-right'

export function Toasts() {
  return (
    <Portal>
      <div ref={tellEnd}>
        <Notifications withinPortal={false} position={position} className={classes.toasts ?? ''} />
      </div>
    </Portal>
  )
}

/** Sets the height of the toasts as a CSS variable: on small screens dialogs begin below them. */
function tellEnd(host: HTMLElement | null): () => void {
  const toasts = host?.querySelector(`[data-position="${position}"]`)
  const { style } = document.documentElement
  const observer = new ResizeObserver(([entry]) => {
    const height = entry?.contentRect.height
    // Eight pixels above and below.
    if (height) style.setProperty('--solo-below-toasts', `${height + 16}px`)
    else style.removeProperty('--solo-below-toasts')
  })
  if (toasts) observer.observe(toasts)
  return () => observer.disconnect()
}

/** At most this many at once: the oldest makes room for a new one. */
const mostToasts = 3

let toasts: { id: string; kind: string }[] = []

/** Removes what stands for the same, and the oldest while there are too many. */
function makeRoom(kind: string): void {
  const others = toasts.filter((each) => each.kind !== kind)
  const kept = others.slice(Math.max(0, others.length - mostToasts + 1))
  for (const gone of toasts.filter((each) => !kept.includes(each))) notifications.hide(gone.id)
  toasts = kept
}

export function show(toast: Toast): void {
  const { title, message, action, also, isError = false, stays = false } = toast
  const { kind = `${title} ${message}` } = toast
  // An error that is still there is not told again.
  if (isError && toasts.some((each) => each.kind === kind)) return
  makeRoom(kind)
  const id = notifications.show({
    title,
    message: action ? (
      <Group justify="flex-end" gap="xs">
        {/* Two actions go below it on a phone. */}
        <Text inherit flex="1 1 140px">
          {message}
        </Text>
        <Group wrap="nowrap" gap={4} flex="none">
          {[...(also ? [also] : []), action].map(({ label, onClick }) => (
            <Button
              key={label}
              size="compact-sm"
              variant={label === action.label ? 'default' : 'subtle'}
              onMouseDown={keepFocus}
              onClick={() => {
                notifications.hide(id)
                onClick()
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Group>
    ) : (
      message
    ),
    onClose: () => {
      toasts = toasts.filter((each) => each.id !== id)
    },
    color: isError ? 'red' : 'iris',
    autoClose: !stays && (isError || action ? decidingTime : readingTime),
    closeButtonProps: { 'aria-label': 'Close notification', onMouseDown: keepFocus },
  })
  toasts = [...toasts, { id, kind }]
}

export function removeAll(): void {
  notifications.clean()
  toasts = []
}

/** Keeps the focus where it is, because a pressed toast disappears. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
