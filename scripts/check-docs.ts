// Fails where a document or a comment points to nothing: a link to a file or heading that is not there, the path of a
// document that is not there, a test that is not there, a decision without its page; where a page of a decision has not
// its form; where the description of the house names a source file that is not there, or leaves one out; where a text
// has npx start what is not ours; and where a mutant is argued of that the sources have no more.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { arguedOf } from './mutants/argued.ts'
import { mutatedSources } from './mutants/sources.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCES = ['src', 'test', 'web', 'bench', 'scripts', 'examples', 'docs', 'packages']
/** A title with its number, when it was accepted, then why, what and what follows. */
const DECISION =
  /^# (\d+)\. [^\n]+\n\nAccepted \d{4}-\d\d-\d\d[^\n]*\.\n\n## Context\n.*^## Decision\n.*^## Consequences\n/ms
/** Folders whose README names every source file in them. */
const DESCRIBED = ['src/filter', 'src/storage/search', 'src/storage/large', 'src/engine']
/** Another package of the registry has the name of our program (decision 139). */
const OF_OTHERS = /\bnpx +(?:-\S+ +)*facet(?![\w-])/
/** Where that is said. */
const SAYS_SO = /^docs.(?:spec|decisions)\b/
const pages = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))
const decisions = new Set(pages.map((name) => name.slice(0, 4).replace(/^0+/, '')))

const faults: string[] = []
for (const file of files()) {
  const text = readFileSync(file, 'utf8')
  const fault = (what: string) => faults.push(`${relative(ROOT, file)}: ${what}`)
  if (file.endsWith('.md')) {
    checkLinks(file, text, fault)
    checkTests(file, text, fault)
  }
  // The contract names pages that are still to be written; tests name files that they make.
  const free = file.endsWith('.test.ts') || relative(ROOT, file).startsWith(join('docs', 'spec'))
  for (const [path] of free ? [] : text.matchAll(/\bdocs\/[\w./-]+\.md\b/g))
    if (!existsSync(join(ROOT, path))) fault(`there is no ${path}`)
  for (const [, number = ''] of text.matchAll(/\bdecision (\d+)/g))
    if (!decisions.has(number)) fault(`there is no decision ${number}`)
  if (OF_OTHERS.test(text) && !SAYS_SO.test(relative(ROOT, file)))
    fault('npx is to start facet-base: `facet` is another package of the registry')
}
for (const page of pages) {
  const [, number] = DECISION.exec(readFileSync(join(ROOT, 'docs/decisions', page), 'utf8')) ?? []
  if (number === undefined || Number(number) !== Number(page.slice(0, 4)))
    faults.push(
      `docs/decisions/${page}: is to be '# <number>. <title>', 'Accepted <day>.', '## Context', '## Decision', '## Consequences'`,
    )
}

checkHouse()

/** ARCHITECTURE.md and the READMEs below `src`. */
function checkHouse(): void {
  const sources = files().map((each) => relative(ROOT, each))
  const isThere = (name: string) => sources.some((each) => each === name || each.endsWith(`/${name}`))
  for (const page of sources.filter((each) => /^(?:ARCHITECTURE|src\/.*README)\.md$/.test(each))) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const named = new Set(text.match(/[\w/-]+(?:\.[\w-]+)*\.ts\b/g))
    for (const name of named) if (!isThere(name)) faults.push(`${page}: there is no file ${name}`)
    if (!DESCRIBED.includes(dirname(page))) continue
    const files = new Set(Array.from(named, (name) => basename(name)))
    for (const each of sources)
      if (each.startsWith(`${dirname(page)}/`) && /(?<!\.test)\.ts$/.test(each) && !files.has(basename(each)))
        faults.push(`${page}: does not name ${each}`)
  }
}

function checkLinks(file: string, text: string, fault: (what: string) => void): void {
  for (const [, target = ''] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:|^\//.test(target)) continue
    const [path = '', heading] = target.split('#')
    const there = path ? join(dirname(file), path) : file
    if (!existsSync(there)) fault(`${target}: no such file`)
    else if (heading && there.endsWith('.md') && !headingsOf(there).includes(heading))
      fault(`${target}: no such heading`)
  }
}

/** Whether it names a test or a group of tests, as it is written there. */
function isTest(source: string, name: string): boolean {
  const before = String.raw`(?:\b(?:it|test|describe|flow|flowOfBoth)\b[^\n]*|^\s*\]?\)?)\(\s*`
  const quoted = [`'${name.replaceAll("'", "\\'")}'`, `"${name}"`, `\`${name.replaceAll('`', '\\`')}\``]
  // A name that is made of others is between backquotes as it is.
  return [...quoted, `\`${name}\``, name].some((each) =>
    new RegExp(`${before}${escaped(each)}\\s*,`, 'm').test(source),
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** A test is named behind the link to its file, with `›` between the two. */
function checkTests(file: string, text: string, fault: (what: string) => void): void {
  for (const [, path = '', name = ''] of text.matchAll(
    /\]\(([^)\s]+\.test\.ts)\) › (.+?)(?=<br>| \|$|$)/gm,
  )) {
    const there = join(dirname(file), path)
    if (existsSync(there) && !isTest(readFileSync(there, 'utf8'), name)) fault(`${path}: no test '${name}'`)
  }
}

/** As GitHub makes them of headings. */
function headingsOf(file: string): string[] {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '')
}

function files(): string[] {
  const below = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each)),
  )
  return [...readdirSync(ROOT), ...below]
    .filter((each) => /\.(?:md|ts|tsx|js)$/.test(each) && !each.includes('node_modules'))
    .map((each) => join(ROOT, each))
}

try {
  arguedOf(mutatedSources().mutants)
} catch (error) {
  faults.push(String(error))
}
for (const each of faults) process.stdout.write(`${each}\n`)
if (faults.length) process.exitCode = 1
