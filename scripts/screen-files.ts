import type { Plugin } from 'vite'

/** The list of files under which the server finds what each screen loads. */
const screenFilesName = 'screen-files.json'

/**
 * What a cold visit of each screen loads by itself, besides the page's own script: its code, and the parts that it shows
 * at once. A browser test visits each and finds nothing loaded that is not named here.
 */
export const screenSources: Record<string, string[]> = {
  auth: ['src/features/auth/auth-page.tsx'],
  dashboard: ['src/features/dashboard/dashboard-page.tsx'],
  contacts: ['src/features/contacts/contacts-page.tsx'],
  'contacts/:id': ['src/app/records/contact-page.tsx'],
  companies: ['src/features/companies/companies-page.tsx'],
  'companies/:id': ['src/app/records/company-page.tsx'],
  deals: ['src/features/deals/deals-page.tsx'],
  'deals/:id': ['src/app/records/deal-page.tsx'],
  tasks: ['src/features/tasks/tasks-page.tsx'],
  reports: ['src/features/reports/reports-page.tsx'],
  settings: ['src/features/settings/settings-page.tsx'],
}

/** What every screen loads by itself a moment later. */
export const loadedSoon = [
  'src/ui/toast-host.tsx',
  'src/ui/type-ahead.ts',
  'src/features/connections/mark/waiting-mark.tsx',
  'domain/time-zones.ts',
]

/** What stands beside every screen and comes once that has read its data. */
export const loadedAfterwards = [
  'src/features/tasks/task-buttons.tsx',
  'src/features/tasks/reminders/reminders.tsx',
]

/** Writes for each screen the scripts and styles that the page does not name itself. */
export function screenFiles(): Plugin {
  return {
    name: 'solo-crm:screen-files',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      function loadedBy(sources: string[]): Set<string> {
        const loaded = new Set<string>()
        function load(name: string): void {
          const chunk = byName.get(name)
          if (!chunk || loaded.has(name)) return
          loaded.add(name)
          for (const style of chunk.viteMetadata?.importedCss ?? []) loaded.add(style)
          chunk.imports.forEach(load)
        }
        for (const source of sources) {
          const chunk = chunks.find(({ moduleIds }) =>
            moduleIds.some((id) => id.endsWith(`/${source}`)),
          )
          if (!chunk) throw new Error(`${source} is in no file.`)
          load(chunk.fileName)
        }
        return loaded
      }
      const ofPage = loadedBy(['src/app/main.tsx'])
      const files = Object.entries(screenSources).map(([screen, sources]) => [
        screen,
        [...loadedBy(sources)].filter((name) => !ofPage.has(name)).map((name) => `/${name}`),
      ])
      this.emitFile({
        type: 'asset',
        fileName: screenFilesName,
        source: JSON.stringify(Object.fromEntries(files)),
      })
    },
  }
}
