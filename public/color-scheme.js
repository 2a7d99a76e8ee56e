// Sets the chosen theme before the first paint; the app itself comes too late for that.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') || 'auto'
  } catch {
    // Nothing can be kept here, so nothing was chosen.
  }
  const dark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
})()
