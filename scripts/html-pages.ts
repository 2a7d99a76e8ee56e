import { fileURLToPath } from 'node:url'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type InlineConfig, type Plugin, runnerImport, type ViteDevServer } from 'vite'

type LandingModule = typeof import('#features/landing/landing-page.tsx')
type TokensModule = typeof import('#ui/tokens.ts')

const landingPlace = '<!--landing-page-->'
// Images stay files here, so that the build finds them and gives each its hashed name.
const runnerConfig: InlineConfig = { logLevel: 'warn', build: { assetsInlineLimit: 0 } }

/**
 * Completes the two HTML pages: both get the colours of the first paint, and the landing page gets
 * its content, rendered here so that a visitor needs no script for it.
 */
export function htmlPages(): Plugin {
  let server: ViteDevServer | undefined

  // In development through the dev server, which knows about edits; in a build by itself.
  async function load<Module>(path: string): Promise<Module> {
    if (server) return (await server.ssrLoadModule(path)) as Module
    const file = fileURLToPath(new URL(`..${path}`, import.meta.url))
    return (await runnerImport<Module>(file, runnerConfig)).module
  }

  return {
    name: 'solo-crm:html-pages',
    configureServer(devServer) {
      server = devServer
    },
    transformIndexHtml: {
      // Before Vite reads the page, so that it finds the images that the content names.
      order: 'pre',
      async handler(html) {
        const { firstPaintStyles } = await load<TokensModule>('/src/ui/tokens.ts')
        const tags = [{ tag: 'style', children: firstPaintStyles(), injectTo: 'head' as const }]
        if (!html.includes(landingPlace)) return { html, tags }
        const { LandingPage } = await load<LandingModule>('/src/features/landing/landing-page.tsx')
        const content = renderToStaticMarkup(createElement(LandingPage))
        return { html: html.replace(landingPlace, () => content), tags }
      },
    },
    // No module of the browser depends on the landing page, so Vite would not reload it by itself.
    handleHotUpdate({ file, server: devServer }) {
      if (file.includes('/src/features/landing/') || file.endsWith('/src/ui/tokens.ts')) {
        devServer.ws.send({ type: 'full-reload' })
      }
    },
  }
}
