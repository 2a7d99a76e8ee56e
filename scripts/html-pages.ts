import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type InlineConfig, type Plugin, runnerImport, type ViteDevServer } from 'vite'

type TokensModule = typeof import('#ui/tokens.ts')

/** Where a public page gets its content: `<!--page:landing-page-->`, named after the file of its component. */
const contentPlace = /<!--page:([a-z-]+)-->/
const headPlace = '<!--site-head-->'
const font = '/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

// Images stay files here, so that the build finds them and gives each its hashed name.
const runnerConfig: InlineConfig = { logLevel: 'warn', build: { assetsInlineLimit: 0 } }

/**
 * Completes the HTML pages: all get the colours of the first paint, and the public ones get their
 * content, rendered here so that a visitor needs no script for it.
 */
export function htmlPages(): Plugin {
  let server: ViteDevServer | undefined

  // In development through the dev server, which knows about edits; in a build by itself.
  async function load<Module>(path: string): Promise<Module> {
    if (server) return (await server.ssrLoadModule(path)) as Module
    const file = fileURLToPath(new URL(`..${path}`, import.meta.url))
    return (await runnerImport<Module>(file, runnerConfig)).module
  }

  async function content(name: string): Promise<string> {
    const module = await load<Record<string, FunctionComponent>>(
      `/src/features/landing/${name}.tsx`,
    )
    const [Page] = Object.values(module)
    if (!Page) throw new Error(`${name}.tsx exports no page.`)
    return renderToStaticMarkup(createElement(Page))
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
        const { firstPaintStyles, tokens } = await load<TokensModule>('/src/ui/tokens.ts')
        const tags = [{ tag: 'style', children: firstPaintStyles(), injectTo: 'head' as const }]
        const name = contentPlace.exec(html)?.[1]
        if (!name) return { html, tags }
        const page = await content(name)
        return {
          html: html
            .replace(headPlace, () => siteHead(tokens.light.page, tokens.dark.page))
            .replace(contentPlace, () => page),
          tags,
        }
      },
    },
    // No module of the browser depends on the public pages, so Vite would not reload them by itself.
    handleHotUpdate({ file, server: devServer }) {
      if (file.includes('/src/features/landing/') || file.endsWith('/src/ui/tokens.ts')) {
        devServer.ws.send({ type: 'full-reload' })
      }
    },
  }
}

/** What every public page has in its head. */
function siteHead(light: string, dark: string): string {
  return [
    '<meta name="color-scheme" content="light dark" />',
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}" />`,
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}" />`,
    '<link rel="icon" type="image/svg+xml" href="/src/ui/product-mark.svg" />',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />',
    '<link rel="manifest" href="/manifest.webmanifest" />',
    `<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin />`,
    '<link rel="stylesheet" href="/src/features/landing/site.css" />',
    '<script type="module" src="/src/features/landing/landing.ts"></script>',
  ].join('\n    ')
}
