import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/process.ts'

/** A block of commands, settings or requests as a page prints it. */
export interface PrintedBlock {
  text: string
  kind: 'commands' | 'settings' | 'request'
}

/** README, the tutorial and all how-tos, from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  'docs/tutorial.md',
  ...readdirSync(join(ROOT, 'docs/how-to')).map((name) => `docs/how-to/${name}`),
]

const BLOCK = /^( *)```(\w*)\n(.*?)^ *```/gms
const SETTING = /^(?:#|[A-Z][A-Z0-9_]*=\S*(?: [^ ].*)?$)/
const REQUEST = /^(?:GET|POST|PUT|DELETE) \/api\//
/** What a block shows of the answer beneath the command. */
const ANSWER = /^(?:\{"|\[\{|event: |id: |data: |X-[\w-]+: )/

/** Blocks without a language, and those of the shell. */
export function printedBlocks(page: string): PrintedBlock[] {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(BLOCK)]
  return blocks
    .filter(([, , language]) => language === '' || language === 'sh')
    .map(([, indent, , text]) => readBlock(text!.split('\n').map((line) => line.slice(indent!.length))))
    .filter(({ text }) => text.trim())
}

function readBlock(lines: string[]): PrintedBlock {
  if (REQUEST.test(lines[0]!)) return { kind: 'request', text: lines.join('\n') }
  const isSetting = (line: string) => !line.trim() || (SETTING.test(line) && !/\b(?:npm|facet) /.test(line))
  if (lines.every(isSetting)) return { kind: 'settings', text: lines.join('\n') }
  return { kind: 'commands', text: lines.filter((line) => !ANSWER.test(line)).join('\n') }
}

/** `POST /api/x` with its body beneath or behind, as the curl of whoever is signed in. */
export function requestAsCommand(text: string): string {
  const [, method, path, body = ''] = /^(\w+) (\/\S+)\s*(.*)$/s.exec(text)!
  const sent = body
    .split('\n')
    .filter((line) => !/^(?:X-[\w-]+: |\[\{)/.test(line))
    .join('\n')
    .trim()
  const stream = path!.includes('/stream') ? '-N ' : ''
  const data = sent ? ` -d '${sent}'` : method === 'POST' ? " -d '{}'" : ''
  return `curl ${stream}-b cookies -H content-type:application/json -X ${method} 'http://localhost:3000${path}'${data}`
}
