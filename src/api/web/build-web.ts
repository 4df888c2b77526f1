import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { build as Build, BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'
import { commonModules, partsWithStart, sourceOf, staticsOf } from '#src/api/web/one-start.ts'
import { appPage, framePage } from '#src/api/web/pages.ts'
import { buildStyles, stylesOf } from '#src/api/web/web-styles.ts'
import { sha256, type WebBuild, type WebFile, type WebSize } from '#src/api/web/web-files.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MAIN = 'web/main.tsx'

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  target: 'es2023',
  jsx: 'automatic',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const satisfies BuildOptions

const APP = {
  ...COMMON,
  entryPoints: { main: MAIN },
  splitting: true,
  outdir: 'assets',
  publicPath: '/assets',
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
} as const satisfies BuildOptions

const STYLES = {
  ...COMMON,
  outdir: 'assets',
  publicPath: '/assets',
  entryNames: 'main-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file' },
} as const satisfies BuildOptions

/** Before the application, and next to it. */
const SCRIPT = { ...COMMON, format: 'iife', outdir: 'assets' } as const satisfies BuildOptions
const FRAME = { ...COMMON, external: ['react'], outdir: 'frame' } satisfies BuildOptions

/** The rules of the service run in the browser as they are; patterns alone are left for the service to judge. */
const rulesForBrowsers: Plugin = {
  name: 'rules-for-browsers',
  setup(build) {
    build.onResolve({ filter: /^#src\/domain\/pattern\.ts$/ }, () => ({
      path: `${ROOT}web/rules/any-pattern.ts`,
    }))
  },
}

/** From here on esbuild collects its garbage before it takes more. */
const MEMORY = '125MiB'

/**
 * Makes the application of `web/` out of its sources: files with a hash of their contents in the name. One step after
 * the other, and esbuild ends with the last, for the memory of a small machine.
 * @throws Error with every fault of the sources
 */
export async function buildWeb(): Promise<WebBuild> {
  const { build, stop } = await import('esbuild')
  const limit = process.env.GOMEMLIMIT
  process.env.GOMEMLIMIT = MEMORY
  try {
    return await make(build)
  } catch (error) {
    // Another build of this process may have ended it.
    if (error instanceof Error && /service (was stopped|is no longer running)/.test(error.message))
      return await make(build)
    throw error
  } finally {
    if (limit === undefined) delete process.env.GOMEMLIMIT
    else process.env.GOMEMLIMIT = limit
    await stop()
  }
}

async function make(build: typeof Build): Promise<WebBuild> {
  const theme = hashed(await build({ ...SCRIPT, entryPoints: ['web/theme.ts'] }))
  const consent = hashed(await build({ ...SCRIPT, entryPoints: ['web/consent.ts'] }))
  const frame = hashed(await build({ ...FRAME, entryPoints: ['web/frame/frame.ts'] }))
  const frameStyle = hashed(await build({ ...FRAME, entryPoints: ['web/frame/frame.css'] }))
  const contents = await reactSource()
  const react = hashed(
    await build({ ...COMMON, stdin: { contents, resolveDir: ROOT }, outfile: 'frame/react.js' }),
  )
  const app = await buildApp(build)
  const { start } = app
  const files = [...app.files, theme, consent, frame, frameStyle, react]
  const importMap = JSON.stringify({ imports: { react: `/${react.name}` } })
  const manifest = {
    page: appPage({ ...start, theme: theme.name }),
    frame: framePage({ importMap, script: frame.name, style: frameStyle.name }),
    look: { style: start.style, font: start.font, theme: theme.name, consent: consent.name },
    import_map_hash: sha256(importMap),
    names: files.map(({ name }) => name),
    sizes: [
      ...app.sizes,
      { part: 'frame', files: [frame.name, react.name] },
      { part: 'consent', files: [consent.name] },
    ],
  }
  return { manifest, files }
}

/** In parts that load when they are needed; a first build tells what goes into the start, and which styles there are. */
async function buildApp(build: typeof Build): Promise<{ start: Start; files: WebFile[]; sizes: WebSize[] }> {
  const draft = await build({ ...APP, minify: false, packages: 'external', plugins: [rulesForBrowsers] })
  const styles = await buildStyles(build, STYLES, stylesOf(draft.metafile, MAIN))
  const common = commonModules(draft.metafile, MAIN)
  const plugins = [rulesForBrowsers, styles.plugin, partsWithStart(ROOT, [MAIN, ...common])]
  const { metafile, outputFiles } = await build({ ...APP, plugins })
  const files = [...styles.files, ...outputFiles].map((file) => ({
    name: nameOf(file),
    contents: bufferOf(file),
  }))
  const start = startOf(metafile, files)
  return { start, files, sizes: sizesOf(metafile, start) }
}

const nameOf = ({ path }: OutputFile) => relative(ROOT, path).replaceAll('\\', '/')
const bufferOf = ({ contents }: OutputFile) =>
  Buffer.from(contents.buffer, contents.byteOffset, contents.length)

/** esbuild names by hash only where it splits. */
function hashed({ outputFiles }: { outputFiles: OutputFile[] }): WebFile {
  const file = outputFiles[0]!
  const contents = bufferOf(file)
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase()
  return { name: nameOf(file).replace(/\.(\w+)$/, `-${hash}.$1`), contents }
}

/**
 * React as one module with names: `export *` of CommonJS exports nothing, and a react-dom next to it would bring a
 * second React along.
 */
async function reactSource(): Promise<string> {
  const react = Object.keys(await import('react'))
  const names = react.filter((name) => /^[A-Za-z]\w*$/.test(name) && name !== 'default')
  return `import React from 'react'
    import { createRoot } from 'react-dom/client'
    export default React
    export const { ${names.join(', ')} } = React
    export const createFrameRoot = createRoot`
}

/** What must be there before the application shows anything. */
interface Start {
  script: string
  style: string
  chunks: string[]
  font: string
}

function startOf({ outputs }: Metafile, files: readonly WebFile[]): Start {
  const [script] = Object.entries(outputs).find(([, { entryPoint }]) => sourceOf(entryPoint) === MAIN)!
  const named = (pattern: RegExp) => files.find(({ name }) => pattern.test(name))!.name
  return {
    script,
    style: named(/\.css$/),
    chunks: [...staticsOf(outputs, script)],
    font: named(/inter-latin-opsz-normal/),
  }
}

/** The start, and each part that loads later with what it alone brings. */
function sizesOf({ outputs }: Metafile, { script: start, style, chunks }: Start): WebSize[] {
  const first = new Set([start, ...chunks])
  const lazy = Object.entries(outputs).filter(
    ([name, { entryPoint }]) => entryPoint && name !== start && name.endsWith('.js'),
  )
  return [
    { part: 'start', files: [...first] },
    { part: 'start, styles', files: [style] },
    ...lazy.map(([name, { entryPoint }]) => ({
      part: sourceOf(entryPoint)!,
      files: [name, ...staticsOf(outputs, name)].filter((each) => !first.has(each)),
    })),
  ]
}
