// Fills a running Facet through its REST API with real data, then asks it five questions. Safe to run again.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readEnvironment } from '#src/config/read-config.ts'
import { debianCatalogue } from './demo/debian.ts'
import { fill, type Progress } from './demo/fill.ts'
import { npmCatalogue } from './demo/npm.ts'
import { Service } from './demo/service.ts'

const USAGE = `npm run demo -- [--url http://127.0.0.1:3000] [--email you@example.org --password …] [--data debian|npm]

Fills a running Facet with real packages, then asks it five questions. What is there already stays as it is.
Without --email it makes the account demo@example.org with a password that it prints, on this machine only.`

const OWN_ACCOUNT = 'demo@example.org'

const SHOWN = 5
const BAR = 30

const { PUBLIC_URL, PORT = '3000' } = readEnvironment()
const { values: options } = parseArgs({
  options: {
    url: {
      type: 'string',
      default: PUBLIC_URL ?? `http://127.0.0.1:${PORT}`,
    },
    email: { type: 'string' },
    password: { type: 'string' },
    data: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

const print = (line: string) => process.stdout.write(`${line}\n`)

/** A bar that is drawn again in place on a terminal, a line for each stage elsewhere. */
const drawProgress: Progress = (label, done, of) => {
  const full = of === 0 ? BAR : Math.floor((done / of) * BAR)
  const line = `${label.padEnd(10)} [${'█'.repeat(full)}${' '.repeat(BAR - full)}] ${done}/${of}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === of ? '\n' : ''}`)
  else if (done === of) print(line)
}

/** A password that everybody knows would let everybody in, on an empty base as its owner. */
async function makeAccount(service: Service): Promise<void> {
  const password = randomBytes(12).toString('hex')
  const { role } = await service.register(OWN_ACCOUNT, password)
  print(`made the account ${OWN_ACCOUNT} (${role}) with the password ${password}`)
  if (role === 'owner') print('it is the first account of this base, and owns it')
  print(`again: npm run demo -- --email ${OWN_ACCOUNT} --password ${password}\n`)
}

async function main(): Promise<void> {
  if (options.help) {
    print(USAGE)
    return
  }
  if (Boolean(options.email) !== Boolean(options.password))
    throw new Error('--email and --password go together')
  const onThisMachine = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(options.url).hostname)
  if (!options.email && !onThisMachine)
    throw new Error('on another machine it makes no account: give --email and --password')

  const service = new Service(options.url)
  if (options.email && options.password) await service.signIn(options.email, options.password)
  else await makeAccount(service)

  const catalogue = (options.data === 'npm' ? null : await debianCatalogue()) ?? npmCatalogue()
  print(`${catalogue.packages.length} packages from ${catalogue.origin}`)
  const started = performance.now()
  const created = await fill(service, catalogue, drawProgress)
  print(
    created
      ? `${created} items created in ${((performance.now() - started) / 1000).toFixed(1)} s`
      : 'everything was there already',
  )

  for (const { words, filter } of catalogue.questions) {
    const asked = performance.now()
    const { items, total } = await service.search<{ name: string }>(filter, SHOWN)
    print(`\n${words}\n  ${JSON.stringify(filter)}`)
    print(
      `  ${total} in ${(performance.now() - asked).toFixed(0)} ms: ${items.map(({ name }) => name).join(', ')}${total > SHOWN ? ', …' : ''}`,
    )
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
