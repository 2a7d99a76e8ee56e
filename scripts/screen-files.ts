import type { Plugin, Rolldown } from 'vite'

/** The list of files under which the server finds what each screen loads. */
const screenFilesName = 'screen-files.json'

/**
 * What a cold visit of each screen loads by itself, besides the page's own script: its code, and the parts that it shows
 * at once. By the path of the screen; one that another view of it loads as well has the view behind it.
 */
export const screenSources: Record<string, string[]> = {
  auth: ['src/features/auth/auth-page.tsx'],
  dashboard: ['src/features/dashboard/dashboard-page.tsx'],
  contacts: ['src/features/contacts/contacts-page.tsx'],
  'contacts/:id': ['src/app/records/contact-page.tsx'],
  companies: ['src/features/companies/companies-page.tsx'],
  'companies/:id': ['src/app/records/company-page.tsx'],
  deals: ['src/features/deals/deals-page.tsx'],
  'deals?view=board': [
    'src/features/deals/deals-page.tsx',
    'src/features/deals/board/deal-board.tsx',
  ],
  'deals/:id': ['src/app/records/deal-page.tsx'],
  tasks: ['src/features/tasks/tasks-page.tsx'],
  reports: ['src/features/reports/reports-page.tsx'],
  'reports/week': ['src/features/reports/week-page.tsx'],
  outbox: ['src/features/compose/outbox-page.tsx'],
  'open/:what': ['src/app/open-from-outside.tsx'],
  settings: ['src/features/settings/settings-page.tsx'],
  'settings/import': ['src/features/imports/import-page.tsx'],
  'settings/fields': ['src/features/own-fields/editing/fields-page.tsx'],
  'settings/forms': ['src/features/leads/forms-page.tsx'],
  'settings/email': ['src/features/mail/mail-page.tsx'],
  'settings/connections': ['src/features/connections/connections-page.tsx'],
  'settings/connections/interface': ['src/features/connections/programs/interface-page.tsx'],
  'settings/backup': ['src/features/backup/backup-page.tsx'],
  'settings/trash': ['src/features/trash/trash-page.tsx'],
  'settings/history': ['src/features/history/history-page.tsx'],
  'settings/duplicates': ['src/features/duplicates/duplicates-page.tsx'],
}

/** The screens that one starts with: the others may rather load what they do not need. */
export const openedOften = [
  'auth',
  'dashboard',
  'contacts',
  'contacts/:id',
  'companies',
  'companies/:id',
  'deals',
  'deals?view=board',
  'deals/:id',
  'tasks',
  'reports',
  'settings',
]

/** What screens show below what comes first; not named in the page. */
export const loadedBelow: Record<string, string[]> = {
  'contact columns': ['src/app/records/contact-page.tsx', 'src/app/records/contact-columns.tsx'],
  'company columns': ['src/app/records/company-page.tsx', 'src/app/records/company-columns.tsx'],
  'deal columns': ['src/app/records/deal-page.tsx', 'src/app/records/deal-columns.tsx'],
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

type Bundle = Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>

const pageSource = 'src/app/main.tsx'

/** The files that the sources need at once; what a file needs stands before it. */
function loadedBy(bundle: Bundle, sources: string[]): Set<Rolldown.OutputChunk> {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const loaded = new Set<Rolldown.OutputChunk>()
  const seen = new Set<string>()
  function load(name: string): void {
    const chunk = byName.get(name)
    if (!chunk || seen.has(name)) return
    seen.add(name)
    chunk.imports.forEach(load)
    loaded.add(chunk)
  }
  for (const source of sources) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${source}`)))
    if (!chunk) throw new Error(`${source} is in no file.`)
    load(chunk.fileName)
  }
  return loaded
}

/**
 * Puts the styles of the page and of all screens into one file, which the page names: each screen by itself had up to
 * sixteen, most below 1 kB, and nothing is drawn before the last of them has come.
 */
export function stylesOfScreens(): Plugin {
  return {
    name: 'solo-crm:styles-of-screens',
    generateBundle: {
      // Before the page and the dynamic imports get the names of the styles that they need.
      order: 'pre',
      handler(_options, bundle) {
        const [page, ...others] = loadedBy(bundle, [
          pageSource,
          ...Object.values(screenSources).flat(),
        ])
        if (!page) throw new Error('The page has no script.')
        const names = new Set<string>()
        for (const chunk of [page, ...others]) {
          for (const name of chunk.viteMetadata?.importedCss ?? []) names.add(name)
          chunk.viteMetadata?.importedCss.clear()
        }
        const styles = [...names].map((name) => {
          const file = bundle[name]
          if (file?.type !== 'asset') throw new Error(`${name} is no file.`)
          delete bundle[name]
          return typeof file.source === 'string'
            ? file.source
            : new TextDecoder().decode(file.source)
        })
        const all = this.emitFile({ type: 'asset', name: 'styles.css', source: styles.join('') })
        const chunk = [...loadedBy(bundle, [pageSource])].at(-1)
        chunk?.viteMetadata?.importedCss.add(this.getFileName(all))
      },
    },
  }
}

/** Writes for each screen the scripts that the page does not name itself. */
export function screenFiles(): Plugin {
  return {
    name: 'solo-crm:screen-files',
    generateBundle(_options, bundle) {
      const ofPage = loadedBy(bundle, [pageSource])
      const files = Object.entries(screenSources).map(([screen, sources]) => [
        screen,
        [...loadedBy(bundle, sources)]
          .filter((chunk) => !ofPage.has(chunk))
          .map(({ fileName }) => `/${fileName}`),
      ])
      this.emitFile({
        type: 'asset',
        fileName: screenFilesName,
        source: JSON.stringify(Object.fromEntries(files)),
      })
    },
  }
}
