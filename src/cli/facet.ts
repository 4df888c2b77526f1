import { parseArgs } from 'node:util'
import { type Command, OPTIONS, type OptionName, PROGRAM, refuseOptions } from '#src/cli/command.ts'
import { COMMANDS } from '#src/cli/commands.ts'
import { fileFaultInWords } from '#src/cli/file-fault.ts'
import { ConfigError } from '#src/config/read-config.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import { forOperator } from '#src/files/s3-fault.ts'
import { isDiskFull } from '#src/process/disk-full.ts'

/** A mistake in what was typed; everything else that goes wrong is 1. */
const WRONG_USE = 2

async function main(): Promise<void> {
  const { values, positionals, tokens } = parseArgs({
    args: withOrders(process.argv.slice(2)),
    allowPositionals: true,
    options: OPTIONS,
    tokens: true,
  })
  refuseEmptyAndRepeated(tokens)
  const [first, ...rest] = positionals
  if (values.version) return print(await COMMANDS.version!.run([], values))
  if (first === undefined || first === 'help' || values.help)
    return print(await help(first === 'help' ? rest : positionals))
  const command = commandNamed(first)
  refuseOptions(first, command.options, values)
  print(await command.run(rest, values))
}

/** What goes down has a minus before it, which `parseArgs` takes for an option of its own: `--sort -name`. */
function withOrders(words: readonly string[]): string[] {
  const isOrder = (i: number) => words[i] === '--sort' && /^-[^-]/.test(words[i + 1] ?? '')
  return words.flatMap((word, i) => (isOrder(i - 1) ? [] : isOrder(i) ? [`--sort=${words[i + 1]}`] : [word]))
}

async function help([name]: readonly string[]): Promise<string> {
  const { helpOf, helpOfAll } = await import('#src/cli/help.ts')
  return (name === undefined ? helpOfAll() : helpOf(name, commandNamed(name))).trimEnd()
}

/** @throws BadRequest where there is none */
function commandNamed(name: string): Command {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!
  const close = nearest(name, Object.keys(COMMANDS))
  throw badRequest(`Unknown command '${name}'`, {
    suggestion: close ? `Did you mean '${close}'?` : `\`${PROGRAM} help\` says what there is`,
  })
}

interface Token {
  kind: string
  name?: string
  value?: string | undefined
}

/** An empty value is a variable of a shell that is not set; of two, one would count unseen. @throws BadRequest */
function refuseEmptyAndRepeated(tokens: readonly Token[]): void {
  const seen = new Set<string>()
  for (const { kind, name = '', value } of tokens) {
    if (kind === 'positional' && !value)
      throw badRequest('An argument is empty', {
        suggestion: 'Give it a value, or leave it out: a variable of the shell may not be set',
      })
    if (kind !== 'option' || value === undefined) continue
    if (!value) throw badRequest(`--${name} is empty`, { suggestion: 'Give it a value, or leave it out' })
    if (seen.has(name) && !('multiple' in OPTIONS[name as OptionName]))
      throw badRequest(`--${name} is given twice`, { suggestion: 'Leave one of them out' })
    seen.add(name)
  }
}

function print(text: string | undefined): void {
  if (text !== undefined) process.stdout.write(`${text}\n`)
}

function wrongUse(message: string): void {
  process.stderr.write(`${message}\n\n${PROGRAM} --help says what there is\n`)
  process.exitCode = WRONG_USE
}

process.umask(0o077) // exports and copies hold secrets
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Anyone who reads what is printed has read enough, as `head` does.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(
    `Standard output cannot be written: ${isDiskFull(error) ? 'the disk is full' : error.message}\n`,
  )
  process.exit(1)
})
// What is done does not depend on whether somebody reads how far it is.
process.stderr.on('error', () => undefined)
try {
  await main()
} catch (thrown) {
  const error = forOperator(thrown)
  const { message, code } = error as Error & { code?: unknown }
  if (error instanceof ServiceError) {
    process.stderr.write(inLines(error))
    process.exitCode = error.code === 'BadRequest' ? WRONG_USE : 1
  } else if (String(code).startsWith('ERR_PARSE_ARGS')) wrongUse(typed(message))
  else if (error instanceof ConfigError) {
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  } else if (fileFaultInWords(error) !== null) {
    process.stderr.write(`${fileFaultInWords(error)}\n`)
    process.exitCode = 1
  } else throw error
}

/** Every fault, where there are several, and what to do. */
function inLines({ message, suggestion, details }: ServiceError): string {
  const faults = (details?.errors ?? []).map((each) => `${each.path ? `${each.path}: ` : ''}${each.message}`)
  const lines = [...(faults.length > 1 ? faults : [message]), ...(suggestion ? [suggestion] : [])]
  return lines.map((line) => `${line}\n`).join('')
}

/** Node's own sentence about an option, without its advice on how to quote one. */
function typed(message: string): string {
  const [, option] = /^Unknown option '([^']*)'/.exec(message) ?? []
  return option ? `Unknown option '${option}'` : message.replace(/\. To specify .*$/s, '')
}
