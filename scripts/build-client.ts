// Writes packages/client/dist: plain JavaScript with its types, as the package is published. With a folder, the whole
// package there.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../packages/client/', import.meta.url))
const COMPILER = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))

const [given] = process.argv.slice(2)
const folder = given === undefined ? PACKAGE : resolve(given)
if (given !== undefined) {
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(join(PACKAGE, file), join(folder, file))
}
const dist = join(folder, 'dist')
rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [COMPILER, '-p', PACKAGE, '--outDir', dist], { stdio: 'inherit' })
