import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { showError } from './toast.tsx'

type CopyButtonProps = {
  value: string
  /** 'Copy subject'. */
  label: string
  /** Shows only the icon. */
  isIcon?: boolean
  className?: string
}

/** Copies a text to the clipboard and shows that it did. */
export function CopyButton({ value, label, isIcon = false, className = '' }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    const isDone = await copyText(value)
    setIsCopied(isDone)
    if (!isDone) showError('Your browser blocked copying. Select the text and copy it yourself.')
  }

  const Icon = isCopied ? IconCheck : IconCopy
  const icon = <Icon size={16} stroke={1.5} aria-hidden />
  const name = isCopied ? 'Copied' : label
  if (isIcon) {
    return (
      <IconButton className={className} aria-label={name} title={name} onClick={copy}>
        {icon}
      </IconButton>
    )
  }
  return (
    <Button variant="default" leftSection={icon} className={className} onClick={copy}>
      {name}
    </Button>
  )
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyTheOldWay(text)
  }
}

// Pages over plain http from another machine have no `navigator.clipboard`.
function copyTheOldWay(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  // Inside the dialog, if there is one: its focus trap allows no focus outside.
  const parent = focused?.closest('[role=dialog]') ?? document.body
  parent.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isDone
}
