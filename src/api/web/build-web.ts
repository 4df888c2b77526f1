import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild'
import { commonModules, partsWithStart, sourceOf, staticsOf } from '#src/api/web/one-start.ts'
import { appPage, framePage } from '#src/api/web/pages.ts'
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
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file' },
} as const satisfies BuildOptions

/** The rules of the service run in the browser as they are; patterns alone are left for the service to judge. */
const rulesForBrowsers: Plugin = {
  name: 'rules-for-browsers',
  setup(build) {
    build.onResolve({ filter: /^#src\/domain\/pattern\.ts$/ }, () => ({
      path: `${ROOT}web/rules/any-pattern.ts`,
    }))
  },
}

/**
 * Makes the application of `web/` out of its sources: files with a hash of their contents in the name.
 * @throws Error with every fault of the sources
 */
export async function buildWeb(): Promise<WebBuild> {
  try {
    return await make()
  } catch (error) {
    // The compiler of components ends esbuild when one takes too long; anyone who used it meanwhile begins again.
    if (error instanceof Error && /service (was stopped|is no longer running)/.test(error.message))
      return make()
    throw error
  }
}

async function make(): Promise<WebBuild> {
  const { build } = await import('esbuild')
  const draft = await build({ ...APP, minify: false, packages: 'external', plugins: [rulesForBrowsers] })
  const common = commonModules(draft.metafile, MAIN)
  const [app, theme, consent, frame, frameStyle, runtime] = await Promise.all([
    build({ ...APP, plugins: [rulesForBrowsers, partsWithStart(ROOT, [MAIN, ...common])] }),
    build({ ...COMMON, entryPoints: ['web/theme.ts'], format: 'iife', outdir: 'assets' }),
    build({ ...COMMON, entryPoints: ['web/consent.ts'], format: 'iife', outdir: 'assets' }),
    build({ ...COMMON, entryPoints: ['web/frame/frame.ts'], external: ['react'], outdir: 'frame' }),
    build({ ...COMMON, entryPoints: ['web/frame/frame.css'], outdir: 'frame' }),
    build({
      ...COMMON,
      stdin: { contents: await reactSource(), resolveDir: ROOT },
      outfile: 'frame/react.js',
    }),
  ])
  const start = startOf(app.metafile)
  const appFiles = app.outputFiles
    .map((file) => ({ name: nameOf(file), contents: bufferOf(file) }))
    // That of the start has the styles of all parts.
    .filter(({ name }) => !name.endsWith('.css') || name === start.style)
  const [themeFile, consentFile, frameFile, styleFile, reactFile] = [
    theme,
    consent,
    frame,
    frameStyle,
    runtime,
  ].map((result) => hashed(result.outputFiles[0]!)) as [WebFile, WebFile, WebFile, WebFile, WebFile]
  const files = [...appFiles, themeFile, consentFile, frameFile, styleFile, reactFile]
  const importMap = JSON.stringify({ imports: { react: `/${reactFile.name}` } })
  const manifest = {
    page: appPage({ ...start, theme: themeFile.name }),
    frame: framePage({ importMap, script: frameFile.name, style: styleFile.name }),
    look: { style: start.style, font: start.font, theme: themeFile.name, consent: consentFile.name },
    import_map_hash: sha256(importMap),
    names: files.map(({ name }) => name),
    sizes: [
      ...sizesOf(app.metafile),
      { part: 'frame', files: [frameFile.name, reactFile.name] },
      { part: 'consent', files: [consentFile.name] },
    ],
  }
  return { manifest, files }
}

const nameOf = ({ path }: OutputFile) => relative(ROOT, path).replaceAll('\\', '/')
const bufferOf = ({ contents }: OutputFile) =>
  Buffer.from(contents.buffer, contents.byteOffset, contents.length)

/** esbuild names by hash only where it splits. */
function hashed(file: OutputFile): WebFile {
  const contents = bufferOf(file)
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase()
  return { name: nameOf(file).replace(/\.(\w+)$/, `-${hash}.$1`), contents }
}

/**
 * React as one module with names: `export *` of CommonJS exports nothing, and a react-dom beside it would bring a
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
function startOf({ outputs }: Metafile): { script: string; style: string; chunks: string[]; font: string } {
  const [script, output] = Object.entries(outputs).find(
    ([, { entryPoint }]) => sourceOf(entryPoint) === MAIN,
  )!
  const font = Object.keys(outputs).find((name) => /inter-latin-wght-normal/.test(name))!
  return { script, style: output.cssBundle!, chunks: [...staticsOf(outputs, script)], font }
}

/** The start, and each part that loads later with what it alone brings. */
function sizesOf({ outputs }: Metafile): WebSize[] {
  const start = Object.keys(outputs).find((name) => sourceOf(outputs[name]!.entryPoint) === MAIN)!
  const first = new Set([start, ...staticsOf(outputs, start)])
  const lazy = Object.entries(outputs).filter(
    ([name, { entryPoint }]) => entryPoint && name !== start && name.endsWith('.js'),
  )
  return [
    { part: 'start', files: [...first] },
    { part: 'start, styles', files: [outputs[start]!.cssBundle!] },
    ...lazy.map(([name, { entryPoint }]) => ({
      part: sourceOf(entryPoint)!,
      files: [name, ...staticsOf(outputs, name)].filter((each) => !first.has(each)),
    })),
  ]
}
