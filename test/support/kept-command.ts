import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { packedModule } from '../../scripts/pack.js'

/** What a command is started with. */
export interface CommandStart {
  words: readonly string[]
  env: Record<string, string | undefined>
}
/** What it printed, and how it ended. */
export interface CommandEnd {
  out: string
  err: string
  code: number
}

/** Milliseconds between two looks at whether a command has closed what it opened. */
const LOOK = 2

const entry = await packedModule('cli/facet')
const commands = { run: 0 }

/** The command line's own module once more, with words, environment and output of its own. */
async function run({ words, env }: CommandStart): Promise<CommandEnd> {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, entry, ...words]
  process.exitCode = 0
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  Object.defineProperty(process, 'stdout', { value: stdout, configurable: true })
  Object.defineProperty(process, 'stderr', { value: stderr, configurable: true })
  const open = process.getActiveResourcesInfo().length
  const printed = Promise.all([text(stdout), text(stderr)])
  await import(`${entry}?command=${++commands.run}`)
  // A process of its own would end no sooner.
  while (process.getActiveResourcesInfo().length > open) await new Promise((done) => setTimeout(done, LOOK))
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { out, err, code: exitCode() }
}

/** What the command has set it to. */
const exitCode = (): number => Number(process.exitCode ?? 0)

process.on('message', (start: CommandStart) => {
  void run(start).then((end) => process.send!(end))
})
process.once('disconnect', () => process.exit())
process.send!('ready')
