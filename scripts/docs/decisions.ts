import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const file = 'docs/decisions/README.md'

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url))

/** What the tens stand for: a page's number says what it is about. */
const SUBJECTS: readonly { from: number; subject: string; folders: string }[] = [
  { from: 1, subject: 'The whole', folders: 'everywhere' },
  { from: 10, subject: 'The filter language', folders: '`src/filter/`' },
  { from: 20, subject: 'Searching and sorting', folders: '`src/storage/search/`' },
  { from: 30, subject: 'Tags and values', folders: '`src/domain/`, `src/operations/tags/`' },
  { from: 40, subject: 'Changes and the audit log', folders: '`src/operations/changes/`, `src/storage/`' },
  { from: 50, subject: 'HTTP and JSON', folders: '`src/api/http/`, `src/json/`' },
  { from: 60, subject: 'Accounts, keys and apps', folders: '`src/operations/account/`, `src/auth/`' },
  { from: 70, subject: 'The engine', folders: '`src/engine/`, `src/storage/schema/`' },
  { from: 80, subject: 'MCP, chat and components', folders: '`src/api/mcp/`, `src/api/chat/`' },
  { from: 110, subject: 'PostgreSQL', folders: '`src/engine/`, `src/sql/`' },
  { from: 120, subject: 'Export and import', folders: '`src/storage/transfer/`' },
  { from: 130, subject: 'What came later', folders: 'everywhere' },
]

interface Page {
  number: number
  name: string
  title: string
  /** When it was accepted; `scripts/check-docs.ts` asks for it. */
  status: string
}

export function text(): string {
  const pages = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .map(pageOf)
  const parts = SUBJECTS.flatMap(({ from, subject, folders }, i) => {
    const until = SUBJECTS[i + 1]?.from ?? Infinity
    const lines = pages
      .filter(({ number }) => number >= from && number < until)
      .map(({ number, name, title, status }) => `- ${number}: [${title}](${name})${status && `. ${status}`}`)
    return lines.length ? `## ${subject}\n\n${folders}\n\n${lines.join('\n')}\n` : []
  })
  return `# Decisions\n\nWhy things are as they are, where the code alone does not say it: the context, what was decided, what follows. A page's number tells its subject, and the code cites it as \`(decision 20)\`; a decision that is taken back says so at its head. \`(decisions §2)\` in the code means [the decisions of the specification](../spec/decisions.md). The packages that we use: [dependencies.md](dependencies.md).\n\n${parts.join('\n')}`
}

function pageOf(name: string): Page {
  const [heading = '', , accepted = ''] = readFileSync(`${FOLDER}${name}`, 'utf8').split('\n')
  const title = /^# \d+\. (.+)$/.exec(heading)?.[1]
  if (!title) throw new Error(`${name} begins with '# <number>. <title>'`)
  return {
    number: Number(name.slice(0, 4)),
    name,
    title,
    status: accepted.startsWith('Accepted ') ? accepted : '',
  }
}
