import { useEffect, useRef } from 'react'
import { useNavigate, useParams } from 'react-router'
import { counted } from '#domain/counted.ts'
import { openForm } from '#features/forms/index.ts'
import { bringFile } from '#features/imports/index.ts'
import { openQuickAdd, openSearch } from '#features/quick-actions/index.ts'
import { takeShared } from '#lib/shared.ts'
import { LoadingState } from '#ui/states.tsx'
import { showToast } from '#ui/toast.tsx'

/** What the shortcuts of the installed app open over the first screen; the last part of their address in `manifest.webmanifest`. */
export const opened: Record<string, () => void> = {
  contact: () => openForm({ form: 'contact' }),
  task: () => openForm({ form: 'task' }),
  search: openSearch,
  'quick-add': openSearch,
}

/** The page behind /app/open/…, by which the device opens the app for a purpose: a shortcut, or something shared. */
export function OpenFromOutside() {
  const { what = '' } = useParams()
  const navigate = useNavigate()
  // An effect may run twice, but what was shared is handed over once.
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    async function open(): Promise<void> {
      const target = what === 'shared' ? await openShared() : 'dashboard'
      await navigate(`/app/${target}`, { replace: true })
      opened[what]?.()
    }
    open()
  }, [what, navigate])
  return <LoadingState text="Loading..." />
}

/** Opens a shared text as a line to add, shared contacts as an import; returns the screen below. */
async function openShared(): Promise<string> {
  const shared = await takeShared()
  const [file, ...others] = shared?.files ?? []
  if (file) {
    bringFile(file)
    if (others.length > 0)
      showToast({
        message: `One file is imported at a time. This is “${file.name}”: share the other ${counted(others.length, 'file')} afterwards.`,
        isError: true,
      })
    return 'settings/import'
  }
  if (shared?.text) openQuickAdd(shared.text)
  else
    showToast({ message: 'Nothing arrived. Open Solo CRM once, then share again.', isError: true })
  return 'dashboard'
}
