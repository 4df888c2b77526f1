import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { invalid, type Problem, type ServiceError } from '#src/domain/errors.ts'
import { type EsbuildEnd, runEsbuild } from '#src/operations/components/esbuild-process.ts'
import { foreignImports } from '#src/operations/components/foreign-imports.ts'

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
 * TSX as one self-contained ES module that imports nothing but `react`. It is only translated here, never run, and
 * nothing is bundled, so no file is looked for: an import is text until the module itself is loaded somewhere (decision 81).
 * @throws BadRequest with line and column of every fault
 */
export async function compileComponent(code: string, { maxTime = MAX_TIME } = {}): Promise<string> {
  if (depthOf(code) > MAX_DEPTH) throw refused('is too deeply nested to be compiled')
  // Not to be guessed, so that it is in the output for `require` alone.
  const require = `__require_${randomBytes(12).toString('hex')}`
  const js = compiled(
    await runEsbuild(flagsFor(require), code, { time: maxTime, output: 4 * MAX_OUTPUT }),
    code,
  )
  const faults = foreignImports(js, { allowed: REACT, require })
  if (faults.length) throw invalid(faults.map((fault) => ({ path: 'code', message: placed(fault, code) })))
  if (!/^export \{[^}]*\bas default\b/m.test(js))
    throw refused('must export the component: export default function Name() { … }')
  if (js.length > MAX_OUTPUT) throw tooLong()
  return js
}

const flagsFor = (require: string): string[] => [
  '--loader=tsx',
  '--sourcefile=code',
  '--format=esm',
  '--target=es2022',
  '--charset=utf8',
  '--color=false',
  '--log-level=error',
  '--log-limit=0',
  '--tsconfig-raw={}',
  '--jsx=transform',
  `--jsx-factory=${JSX}.createElement`,
  `--jsx-fragment=${JSX}.Fragment`,
  `--banner=import * as ${JSX} from "${REACT}";`,
  '--define:process.env.NODE_ENV="production"',
  // What could load something while the component runs: `import.meta` is a fault, `import()` becomes a call of
  // `require`, and `require` becomes a name that nothing has.
  '--supported:import-meta=false',
  '--log-override:empty-import-meta=error',
  '--supported:dynamic-import=false',
  `--define:require=${require}`,
  // One line for each import, and no line within a text or a comment that looks like one.
  '--supported:template-literal=false',
  '--legal-comments=none',
]

/** @throws BadRequest */
function compiled(end: EsbuildEnd, code: string): string {
  switch (end.kind) {
    case 'compiled':
      return end.js
    case 'faults':
      throw invalid(problemsIn(end.report, code))
    case 'died':
      throw refused('is too deeply nested to be compiled')
    case 'too-long':
      throw refused('takes too long to be compiled')
    case 'too-much':
      throw tooLong()
  }
}

const refused = (message: string): ServiceError => invalid([{ path: 'code', message }])
const tooLong = () => refused(`compiles to more than ${MAX_OUTPUT} characters`)

/** Of brackets that are open at once; those in texts count too, which this many never are. */
function depthOf(code: string): number {
  let [depth, deepest] = [0, 0]
  for (const bracket of code.match(/[([{}\])]/g) ?? [])
    if ('([{'.includes(bracket)) deepest = Math.max(deepest, ++depth)
    else depth--
  return deepest
}

/** The faults as esbuild prints them: a sentence, an empty line, `code:line:column` with the column in bytes. */
function problemsIn(report: string, code: string): Problem[] {
  const lines = code.split(/\r\n|[\n\r\u2028\u2029]/)
  const found = report.matchAll(/^✘ \[ERROR\] (.+)(?:\n\n {4}code:(\d+):(\d+):$)?/gmu)
  return Array.from(found, ([, said, line, bytes]) => {
    const message = said!.replace(/ \[[a-z-]+\]$/, '')
    if (!line) return { path: 'code', message }
    const before = Buffer.from(lines[Number(line) - 1] ?? '').subarray(0, Number(bytes))
    return { path: 'code', message: `line ${line}, column ${before.toString().length + 1}: ${message}` }
  })
}

/** Where the code has what a fault is about, if that can be said: the compiler's output does not say. */
function placed({ message, sought }: { message: string; sought: RegExp }, code: string): string {
  const at = code.search(sought)
  if (at < 0) return message
  const before = code.slice(0, at).split('\n')
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${message}`
}
