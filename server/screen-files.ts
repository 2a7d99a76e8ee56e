/** What each screen loads, besides what the page names: see scripts/screen-files.ts. */
export type ScreenFiles = Record<string, string[]>

/** Where the build lists them. */
export const screenFilesPath = '/screen-files.json'

const idOfRecord = /^(contacts|companies|deals)\/[^/]+$/

/** The screens that an address of the app may show, as the list of files names them: the most exact first. */
export function screensOf(path: string, query: Record<string, string>): string[] {
  const place = path.replace(/^\/app(?=\/|$)/, '').replace(/^\/|\/$/g, '') || 'dashboard'
  const screen = place.replace(idOfRecord, '$1/:id').replace(/^open\/[^/]+$/, 'open/:what')
  return [...(query.view ? [`${screen}?view=${query.view}`] : []), screen]
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
