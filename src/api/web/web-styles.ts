import { relative } from 'node:path'
import type { build as Build, BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'

/** The names that each module of styles gives to its classes, by its path. */
type ClassNames = ReadonlyMap<string, Readonly<Record<string, string>>>

/** All styles of the application, which come at once: one sheet, with the fonts that it names. */
export interface WebStyles {
  files: readonly OutputFile[]
  /** Every script of the application takes the names of its classes from here. */
  plugin: Plugin
}

/** In the order in which they count, by a build that leaves packages outside. */
export function stylesOf({ inputs, outputs }: Metafile, main: string): string[] {
  const { cssBundle } = Object.values(outputs).find(({ entryPoint }) => entryPoint === main)!
  const ofPackages = inputs[main]!.imports.filter(({ path, external }) => external && path.endsWith('.css'))
  return [...ofPackages.map(({ path }) => path), ...Object.keys(outputs[cssBundle!]!.inputs)]
}

/**
 * Builds them apart from the scripts: there, each part that can be loaded by itself would get a sheet of its own with
 * all that the start has, which costs esbuild half of its time and 80 MB.
 */
export async function buildStyles(
  build: typeof Build,
  options: BuildOptions & { absWorkingDir: string },
  paths: readonly string[],
): Promise<WebStyles> {
  const lines = paths.map((path, i) => {
    const from = JSON.stringify(path.startsWith('web/') ? `./${path}` : path)
    return path.endsWith('.module.css') ? `export { default as c${i} } from ${from}` : `import ${from}`
  })
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: lines.join('\n'), resolveDir: options.absWorkingDir, sourcefile: 'styles.js' },
    write: false,
  })
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))!
  const address = `data:text/javascript,${encodeURIComponent(script.text)}`
  const names = (await import(address)) as Record<string, Record<string, string>>
  const byPath: ClassNames = new Map(paths.map((path, i) => [path, names[`c${i}`] ?? {}]))
  return {
    files: outputFiles.filter((file) => file !== script),
    plugin: namesOnly(options.absWorkingDir, byPath),
  }
}

const namesOnly = (root: string, names: ClassNames): Plugin => ({
  name: 'names-of-classes',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, ({ path }) => ({
      contents: JSON.stringify(names.get(relative(root, path).replaceAll('\\', '/')) ?? {}),
      loader: 'json',
    }))
  },
})
