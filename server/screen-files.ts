/** What each screen loads, besides what the page names: see scripts/screen-files.ts. */
export type ScreenFiles = Record<string, string[]>

/** Where the build lists them. */
export const screenFilesPath = '/screen-files.json'

const idOfRecord = /^(contacts|companies|deals)\/[^/]+$/

/** The screen that a path of the app shows, as the list of files names it. */
export function screenOf(path: string): string {
  const screen = path.replace(/^\/app(?=\/|$)/, '').replace(/^\/|\/$/g, '') || 'dashboard'
  return screen.replace(idOfRecord, '$1/:id')
}

/** The page with the scripts and styles of one screen named, so that they are fetched together with its own. */
export function withScreenFiles(page: string, files: string[]): string {
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="${file}">`
      : `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  return page.replace('</head>', () => `${links.join('')}</head>`)
}
