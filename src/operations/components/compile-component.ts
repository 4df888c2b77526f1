import { Buffer } from 'node:buffer'
import type { BuildFailure, Message, Plugin } from 'esbuild'
import { invalid, type Problem } from '#src/domain/errors.ts'

/** The one module that a component may import; the page that shows it brings it along. */
const REACT = 'react'
/** A name that no component uses: JSX needs React also where the code does not import it. */
const JSX = '__facet_react'

/**
 * TSX as one self-contained ES module that imports nothing but `react`. It is only translated here, never run.
 * @throws BadRequest with line and column of every fault
 */
export async function compileComponent(code: string): Promise<string> {
  const esbuild = await import('esbuild')
  try {
    const { outputFiles, metafile } = await esbuild.build({
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
    })
    if (!Object.values(metafile.outputs)[0]?.exports.includes('default'))
      throw invalid([
        { path: 'code', message: 'must export the component: export default function Name() { … }' },
      ])
    return outputFiles[0]!.text
  } catch (error) {
    if (isBuildFailure(error)) throw invalid(error.errors.map(toProblem))
    // The compiler itself died of the code; the next call starts it anew.
    if (error instanceof Error && /service (was stopped|is no longer running)/.test(error.message)) {
      await esbuild.stop()
      throw invalid([{ path: 'code', message: 'is too deeply nested to be compiled' }])
    }
    throw error
  }
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
