// Fails where a file of the web application keeps state of its own beside `web/store.ts`: a variable of the module, or a
// map, set or list that it fills. What is constant is typed as such (`ReadonlySet`) or named in capitals. Two slots
// never share a name. Fails too where a file that decision 152 does not name has a reference to what is latest, and
// where elements are looked for by `querySelector`: components are reached by props and refs. It is right for markup
// that is not the application's (descriptions, the answers of the assistant), for the focus among children that a
// component does not know, and for an element of many that a component has drawn itself, by its place or its id, within
// its own. `LOOKED_FOR` names the files that do so, with their lines: fewer is better.
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
/** The most lines with `querySelector` in each file that may have any. */
const LOOKED_FOR: Readonly<Record<string, number>> = {
  // Markup of others.
  'item/check-elements.ts': 1,
  'item/clean-html.ts': 3,
  'item/clean-text.tsx': 3,
  'item/description-html.ts': 6,
  'item/markup-outline.ts': 1,
  'item/plain-blocks.ts': 1,
  'item/word-lists.ts': 2,
  // The focus among children that are not known.
  'filter/condition-editor.tsx': 1,
  'item/rich-toolbar.tsx': 1,
  'parts/dialog.tsx': 1,
  'parts/keep-focus.ts': 1,
  'parts/over-page.ts': 1,
  'shell/list-keys.ts': 3,
  'shell/shell.tsx': 2,
  'table/table-view.tsx': 1,
  'table/table.tsx': 1,
  // One of many that are drawn here.
  'item/item-value.tsx': 1,
  'layout/calendar-hours.tsx': 1,
  'layout/column-cards.tsx': 1,
  'layout/drawn-items.ts': 2,
  'layout/use-drag.ts': 1,
  'layout/use-wanted-focus.ts': 1,
  'table/drawn-cell.ts': 1,
}
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
for (const file of readdirSync(WEB, { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file) || file.endsWith('.test.ts') || file === STORE || APART.test(file)) continue
  const source = readFileSync(join(WEB, file), 'utf8')
  for (const [i, line] of source.split('\n').entries())
    if (VARIABLE.test(line) || FILLED.test(line))
      faults.push(`web/${file}:${i + 1}: keeps state of its own; make it a slot of web/${STORE}: ${line}`)
  const lookedFor = source.match(/^.*querySelector.*$/gm)?.length ?? 0
  const most = LOOKED_FOR[file.replaceAll('\\', '/')] ?? 0
  if (lookedFor > most)
    faults.push(`web/${file}: ${lookedFor} lines look for elements by querySelector, ${most} may: use refs`)
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

if (faults.length) {
  process.stderr.write(`${faults.join('\n')}\n${faults.length} faults in the state of the web application\n`)
  process.exitCode = 1
} else process.stdout.write(`web state: ${slots.size} slots in one store\n`)
