// Plain JavaScript that an old Node can read: it finds the one that came with the packages.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 24
/** The package, or the checkout. */
const HERE = fileURLToPath(new URL('..', import.meta.url))
/** How the packages that hold a Node are called; npm 10 does not link their program. */
const NODE_PACKAGE = /^node-(?:bin-)?(?:linux|darwin|win)-/
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Whether the Node that runs this is too old for the rest. */
export const isTooOld = () => Number(process.versions.node.split('.')[0]) < OLDEST_NODE

/** @returns {string | undefined} the program */
function ownNode() {
  return foldersOfPackages(HERE)
    .flatMap((folder) => namesIn(folder).map((name) => ({ folder, name })))
    .filter(({ name }) => NODE_PACKAGE.test(name))
    .flatMap(({ folder, name }) =>
      ['bin/node', 'bin/node.exe', 'node.exe'].map((file) => join(folder, name, file)),
    )
    .find((file) => existsSync(file))
}

/** None where it cannot be read: what is another user's is passed over. @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Where packages may lie, nearest first: npm puts those of an installed package beside it or within it.
 * @param {string} folder
 * @returns {string[]}
 */
function foldersOfPackages(folder) {
  const above = dirname(folder)
  const here = join(folder, 'node_modules')
  return [...(existsSync(here) ? [here] : []), ...(above === folder ? [] : foldersOfPackages(above))]
}

/**
 * Runs a program in this one's place, with its folder first in the path; ends as it ends.
 * @param {string} program
 * @param {string[]} args
 */
function runInstead(program, args) {
  const PATH = `${dirname(program)}${delimiter}${process.env.PATH}`
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, PATH } })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
  child.once('error', ({ message }) => {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)])
  })
}

/** Goes on with a Node that is new enough, or says what is missing. */
export function goOnWithOwnNode() {
  const node = ownNode()
  if (node) return runInstead(node, [...process.execArgv.filter(isPlain), ...process.argv.slice(1)])
  process.stderr.write(
    `Facet needs Node ${OLDEST_NODE} or newer and was started with ${process.versions.node}.\n` +
      'Run `npm ci` without --omit=optional: the installation brings its own Node, and `npm start` finds it.\n',
  )
  process.exit(1)
}

/** Flags of the engine alone: what is loaded beforehand was meant for the other Node. @param {string} flag */
const isPlain = (flag) => flag.startsWith('--max-')
