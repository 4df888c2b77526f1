import { relative } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/** A module that this many parts use comes with the start. */
const MANY = 3
/** Bytes, of a chunk that is not minified: one above is no small thing that everybody has. */
const SMALL = 30_000
const NAMESPACE = 'part'

/**
 * What several parts use and is small: in a build that leaves all chunks to esbuild, there is one for each combination
 * of parts, and asking for them takes longer than loading what is in them.
 */
export function commonModules({ inputs, outputs }: Metafile, main: string): string[] {
  const scripts = Object.keys(outputs).filter((name) => name.endsWith('.js'))
  const start = scripts.find((name) => outputs[name]!.entryPoint === main)!
  const first = new Set([start, ...staticsOf(outputs, start)])
  const users = new Map<string, number>()
  for (const part of scripts.filter((name) => outputs[name]!.entryPoint && name !== start))
    for (const chunk of staticsOf(outputs, part)) users.set(chunk, (users.get(chunk) ?? 0) + 1)
  const modulesOf = (chunk: string) => Object.keys(outputs[chunk]!.inputs)
  const started = new Set([...first].flatMap(modulesOf))
  const packages = new Set([...started].flatMap((path) => packagesOf(inputs, path)))
  return [...users]
    .filter(([chunk, count]) => count >= MANY && !first.has(chunk) && outputs[chunk]!.bytes <= SMALL)
    .flatMap(([chunk]) => modulesOf(chunk))
    .filter(
      (path) => /\.tsx?$/.test(path) && packagesOf(inputs, path, started).every((name) => packages.has(name)),
    )
    .sort()
}

/** The packages that a module brings along, itself or by another one. */
function packagesOf(
  inputs: Metafile['inputs'],
  path: string,
  known: ReadonlySet<string> = new Set(),
  seen = new Set<string>(),
): string[] {
  if (seen.has(path) || known.has(path)) return []
  seen.add(path)
  return inputs[path]!.imports.flatMap(({ path: next, kind, external }) => {
    if (kind !== 'import-statement') return []
    return external ? [next] : packagesOf(inputs, next, known, seen)
  })
}

/** All that a chunk imports at once, and what those import. */
export function staticsOf(
  outputs: Metafile['outputs'],
  name: string,
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const { path, kind } of outputs[name]!.imports)
    if (kind === 'import-statement' && outputs[path] && !found.has(path)) {
      found.add(path)
      staticsOf(outputs, path, found)
    }
  return found
}

/**
 * Has every part import the start, which is there before it anyway: so esbuild knows that whatever the start has is in
 * all of them, and makes one chunk of it.
 */
export const partsWithStart = (root: string, start: readonly string[]): Plugin => ({
  name: 'parts-with-start',
  setup(build) {
    build.onResolve(
      { filter: /^(?:#web\/|web\/main\.tsx$)/ },
      async ({ kind, path, resolveDir, importer }) => {
        if (kind !== 'dynamic-import' && kind !== 'entry-point') return undefined
        const from = kind === 'entry-point' ? `./${path}` : path
        const found = await build.resolve(from, { kind: 'import-statement', resolveDir, importer })
        return { path: relative(root, found.path).replaceAll('\\', '/'), namespace: NAMESPACE }
      },
    )
    build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: [
        ...start.map((each) => `import ${JSON.stringify(`./${each}`)}`),
        `export * from ${JSON.stringify(`./${path}`)}`,
      ].join('\n'),
      resolveDir: root,
    }))
  },
})

/** Of an entry of the build: where its source is. */
export const sourceOf = (entryPoint: string | undefined): string | undefined =>
  entryPoint?.replace(`${NAMESPACE}:`, '')
