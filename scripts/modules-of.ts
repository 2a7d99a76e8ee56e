import { build, type InlineConfig } from 'vite'

/** Tells which modules sources need together. */
export type ModulesOf = (sources: string[]) => Set<string>

/**
 * Which modules sources need without loading more, found by a build that writes nothing: only the bundler knows what
 * remains of a package once everything unused is gone.
 */
export async function findModules(config: InlineConfig): Promise<ModulesOf> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false, minify: false },
  })
  if (!('output' in built)) throw new Error('One build was asked for.')
  const chunks = built.output.filter((part) => part.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  // What is imported when needed stays a file of its own.
  const entries = new Set(chunks.map(({ facadeModuleId }) => facadeModuleId))
  return (sources) => {
    const loaded = new Set<string>()
    function load(name: string): void {
      if (loaded.has(name)) return
      loaded.add(name)
      byName.get(name)?.imports.forEach(load)
    }
    for (const source of sources) {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}`))
      if (!chunk) throw new Error(`${source} has no file of its own.`)
      load(chunk.fileName)
    }
    const modules = [...loaded].flatMap((name) => byName.get(name)?.moduleIds ?? [])
    return new Set(modules.filter((id) => !entries.has(id)))
  }
}
