// Fails where a file of the web application keeps state of its own beside `web/store.ts`: a variable of the module, or a
// map, set or list that it fills. What is constant is typed as such (`ReadonlySet`) or named in capitals. Two slots
// never share a name. Fails too where elements are looked for on the page in more lines than before, and where a file
// that decision 152 does not name has a reference to what is latest.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WEB = fileURLToPath(new URL('../web', import.meta.url))
const STORE = 'store.ts'
/** `theme.ts`, `consent.ts` and the frame of components run by themselves, without the application. */
const APART = /^(?:theme|consent)\.ts$|^frame\//

const VARIABLE = /^(?:export )?let /
/** A weak one lets go of what nobody else holds. */
const FILLED =
  /^(?:export )?const (?!\w+: [Rr]eadonly)(?:\w+(?:: [^=]+)? = (?:new (?:Map|Set|Array|EventTarget)(?:<[^(]*>)?\(\)|\[\]$)|[a-z]\w*(?:: [^=]+)? = new (?:Map|Set)\b)/
/** Lines with `querySelector`: less is better. Those that read the markup of descriptions are among them. */
const MOST_LOOKED_FOR = 59
const LATEST = [
  'chat/use-turn.ts',
  'filter/time-editor.tsx',
  'item/use-autosave.ts',
  'layout/use-drag.ts',
  'parts/use-reorder.ts',
  'table/use-column-drag.ts',
  'view/view-bar.tsx',
]
const SLOT = /new (?:Keyed)?Slot\b[^']*?\(\s*'(\w+)'/g

const faults: string[] = []
const slots = new Map<string, string>()
let lookedFor = 0
for (const file of readdirSync(WEB, { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file) || file.endsWith('.test.ts') || file === STORE || APART.test(file)) continue
  const source = readFileSync(join(WEB, file), 'utf8')
  for (const [i, line] of source.split('\n').entries())
    if (VARIABLE.test(line) || FILLED.test(line))
      faults.push(`web/${file}:${i + 1}: keeps state of its own; make it a slot of web/${STORE}: ${line}`)
  lookedFor += source.match(/^.*querySelector.*$/gm)?.length ?? 0
  if (/\blatest\.current\b/.test(source) && !LATEST.includes(file.replaceAll('\\', '/')))
    faults.push(
      `web/${file}: a reference to what is latest; an effect calls an effect event (useEffectEvent)`,
    )
  for (const [, name = ''] of source.matchAll(SLOT)) {
    const other = slots.get(name)
    if (other) faults.push(`web/${file}: the slot '${name}' is in web/${other} already`)
    slots.set(name, file)
  }
}

if (lookedFor > MOST_LOOKED_FOR)
  faults.push(
    `${lookedFor} lines look for elements by querySelector, ${MOST_LOOKED_FOR} are the most: use refs`,
  )
if (faults.length) {
  process.stderr.write(`${faults.join('\n')}\n${faults.length} faults in the state of the web application\n`)
  process.exitCode = 1
} else process.stdout.write(`web state: ${slots.size} slots in one store\n`)
