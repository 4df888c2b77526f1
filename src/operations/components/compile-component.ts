import { Buffer } from 'node:buffer'
import type { BuildFailure, BuildOptions, Message, Plugin } from 'esbuild'
import { invalid, type Problem } from '#src/domain/errors.ts'

/** The one module that a component may import; the page that shows it brings it along. */
const REACT = 'react'
/** A name that no component uses: JSX needs React also where the code does not import it. */
const JSX = '__facet_react'

/** Brackets inside each other: the compiler's output, indented, grows with their square. */
const MAX_DEPTH = 200
/** Characters of what comes out. */
const MAX_OUTPUT = 1_000_000
/** Milliseconds; what takes longer was written to take long. */
const MAX_TIME = 5000

/**
 * TSX as one self-contained ES module that imports nothing but `react`. It is only translated here, never run.
 * To be called for one component at a time: the compiler is ended when it takes too long.
 * @throws BadRequest with line and column of every fault
 */
export async function compileComponent(code: string, { maxTime = MAX_TIME } = {}): Promise<string> {
  if (depthOf(code) > MAX_DEPTH) throw refused('is too deeply nested to be compiled')
  const esbuild = await import('esbuild')
  const limit = new AbortController()
  try {
    const build = esbuild.build(optionsFor(code))
    const { outputFiles, metafile } = await Promise.race([build, timeUp(maxTime, limit.signal)])
    if (!Object.values(metafile.outputs)[0]?.exports.includes('default'))
      throw refused('must export the component: export default function Name() { … }')
    const { text } = outputFiles[0]!
    if (text.length > MAX_OUTPUT) throw refused(`compiles to more than ${MAX_OUTPUT} characters`)
    return text
  } catch (error) {
    if (isBuildFailure(error)) throw invalid(error.errors.map(toProblem))
    // The compiler itself died of the code; the next call starts it anew.
    if (error instanceof Error && /service (was stopped|is no longer running)/.test(error.message)) {
      await esbuild.stop()
      throw refused('is too deeply nested to be compiled')
    }
    if (error instanceof TimeUp) {
      await esbuild.stop()
      throw refused('takes too long to be compiled')
    }
    throw error
  } finally {
    limit.abort()
  }
}

const optionsFor = (code: string) =>
  ({
    stdin: { contents: code, loader: 'tsx', sourcefile: 'code' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
    tsconfigRaw: {},
    jsx: 'transform',
    jsxFactory: `${JSX}.createElement`,
    jsxFragment: `${JSX}.Fragment`,
    banner: { js: `import * as ${JSX} from "${REACT}";` },
    define: { 'process.env.NODE_ENV': '"production"' },
    // What cannot be seen at this point would be an import all the same.
    logOverride: {
      'unsupported-dynamic-import': 'error',
      'unsupported-require-call': 'error',
      'indirect-require': 'error',
    },
    plugins: [onlyReact],
  }) satisfies BuildOptions

const refused = (message: string) => invalid([{ path: 'code', message }])

class TimeUp extends Error {}

function timeUp(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new TimeUp()), milliseconds)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
}

/** Of brackets that are open at once; those in texts count too, which so many never are. */
function depthOf(code: string): number {
  let [depth, deepest] = [0, 0]
  for (const bracket of code.match(/[([{}\])]/g) ?? [])
    if ('([{'.includes(bracket)) deepest = Math.max(deepest, ++depth)
    else depth--
  return deepest
}

const onlyReact: Plugin = {
  name: 'only-react',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined
      if (path === REACT && kind === 'import-statement') return { path, external: true }
      return { errors: [{ text: `cannot import '${path}': only "import … from 'react'" is there` }] }
    })
  },
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors)

function toProblem({ text, location }: Message): Problem {
  if (!location) return { path: 'code', message: text }
  // esbuild counts bytes.
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length + 1
  return { path: 'code', message: `line ${location.line}, column ${column}: ${text}` }
}
