// Fails where docs/decisions/dependencies.md and package.json disagree: a package without a line or with two, a line
// without its package, another version.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PAGE = 'docs/decisions/dependencies.md'

type Versions = Record<string, string>
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
  readFileSync(`${ROOT}package.json`, 'utf8'),
) as Record<string, Versions>
/** `npm:name@version` is a package under another name. */
const installed = new Map(
  Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).map(([name, version]) => [
    name,
    version.startsWith('npm:') ? version.slice(version.lastIndexOf('@') + 1) : version,
  ]),
)

const faults: string[] = []
const told = new Set<string>()
for (const line of readFileSync(`${ROOT}${PAGE}`, 'utf8').split('\n')) {
  const [, packages = '', versions = '', purpose = ''] = line.split('|').map((cell) => cell.trim())
  if (!line.startsWith('|') || packages === 'package' || packages.startsWith('---')) continue
  if (!purpose) faults.push(`${packages}: no word on what it does`)
  const names = packages.split(', ')
  const given = versions.split(', ')
  for (const [i, name] of names.entries()) {
    const version = given.length === 1 ? given[0] : given[i]
    if (told.has(name)) faults.push(`${name} has two lines`)
    told.add(name)
    if (!installed.has(name)) faults.push(`${name} is not in package.json`)
    else if (installed.get(name) !== version)
      faults.push(`${name}: ${version} here, ${installed.get(name)} in package.json`)
  }
}
for (const name of installed.keys()) if (!told.has(name)) faults.push(`${name} has no line`)

for (const fault of faults) process.stdout.write(`${PAGE}: ${fault}\n`)
if (faults.length) process.exitCode = 1
