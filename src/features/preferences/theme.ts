import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect } from 'react'
import { usePreferences, useSavePreferences } from './queries.ts'
import type { Theme } from './remembered.ts'

export const themes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'system', label: 'System', icon: IconDeviceDesktop },
] as const

/** The key of Mantine's stored choice. */
const browserKey = 'mantine-color-scheme-value'

const schemeOf = (theme: Theme): MantineColorScheme => (theme === 'system' ? 'auto' : theme)

/** The theme of this browser; choosing one also saves it for the account. */
export function useTheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const save = useSavePreferences()
  function setTheme(theme: Theme): void {
    setColorScheme(schemeOf(theme))
    // The mutation reports a failure; this browser keeps the theme.
    save({ theme }).catch(() => {})
  }
  const theme: Theme = colorScheme === 'auto' ? 'system' : colorScheme
  return { theme, setTheme }
}

/** Applies the account's theme in a browser without a choice of its own. */
export function useAccountTheme(): void {
  const { setColorScheme } = useMantineColorScheme()
  const theme = usePreferences().data?.theme
  useEffect(() => {
    if (!theme || theme === 'system' || hasChoice()) return
    setColorScheme(schemeOf(theme))
  }, [theme, setColorScheme])
}

function hasChoice(): boolean {
  try {
    return window.localStorage.getItem(browserKey) !== null
  } catch {
    return false
  }
}
