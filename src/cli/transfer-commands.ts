import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportLines } from '#src/transfer/export-lines.ts'
import { checkFile, importFile } from '#src/transfer/import-file.ts'
import { makeFile } from '#src/transfer/make-file.ts'
import { exportedSecrets } from '#src/transfer/exported-secrets.ts'
import { openAlone } from '#src/transfer/open-alone.ts'
import { openWhole } from '#src/transfer/open-whole.ts'
import type { Config } from '#src/config/config.ts'
import { badRequest } from '#src/domain/errors.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { waitingOwners } from '#src/storage/views/waiting-views.ts'

export interface MovingOptions {
  accounts?: boolean | undefined
  out?: string | undefined
}

type Report = (text: string) => void
type MovingCommand = (
  config: Config,
  words: readonly string[],
  options: MovingOptions,
  report: Report,
) => Promise<void>

const PROGRESS_MS = 5000

export const MOVING_COMMANDS: Readonly<Record<string, MovingCommand>> = {
  async export({ database, secret_keys }, words, { accounts = false, out }, report) {
    refuseSurplus('export', words)
    const connection = await openWhole(database)
    const { open } = exportedSecrets({ database, secret_keys })
    const write = (target: NodeJS.WritableStream) =>
      connection.snapshot(() =>
        pipeline(Readable.from(exportLines(connection.db, { accounts, open })), target, {
          end: target !== process.stdout,
        }),
      )
    try {
      if (out === undefined) await write(process.stdout)
      else {
        await makeFile(out, (unfinished) => write(createWriteStream(unfinished)))
        report(`Exported to ${out}${accounts ? ', with secrets of accounts: keep it safe' : ''}`)
      }
    } finally {
      await connection.close()
    }
  },

  async import({ database, secret_keys }, [file, ...rest], _, report) {
    if (file === undefined) throw badRequest('import needs a file')
    refuseSurplus('import', rest)
    const checked = await checkFile(file)
    report(`${file} is whole: ${checked.lines} lines`)
    const { connection, release } = await openAlone(database)
    try {
      const { seal } = exportedSecrets({ database, secret_keys })
      let told = Date.now()
      const { resumed } = await importFile(connection, checked, seal, (lines) => {
        if (Date.now() - told < PROGRESS_MS) return
        told = Date.now()
        report(`${lines} of ${checked.lines} lines`)
      })
      for (const statement of connection.db.dialect.afterLoading) await connection.exec(statement)
      report(`Imported${resumed ? ' the rest' : ''}:`)
      for (const [kind, count] of Object.entries(checked.end.counts)) report(`  ${kind.padEnd(16)} ${count}`)
      if (checked.unhashed)
        report(
          `${checked.unhashed} events of the log had no hash, as older programs wrote them: they are chained from now on, and nothing vouches for what they were before`,
        )
      await reportViews(connection, report)
    } finally {
      await connection.close()
      release()
    }
  },
}

/** Runs export or import on the database of the service. */
export async function runTransferCommand(
  [name, ...words]: readonly string[],
  config: Config,
  options: MovingOptions,
): Promise<void> {
  const report: Report = (text) => void process.stderr.write(`${text}\n`)
  await MOVING_COMMANDS[name!]!(config, words, options, report)
}

function refuseSurplus(command: string, [surplus]: readonly string[]): void {
  if (surplus !== undefined) throw badRequest(`${command} does not take '${surplus}'`)
}

async function reportViews({ db }: CommandConnection, report: Report): Promise<void> {
  const owners = await waitingOwners(db)
  if (!owners.length) return
  report('Views whose owners have no account here wait for them:')
  for (const { owner_email, views } of owners) report(`  ${owner_email}  ${views}`)
  report('When one has registered: npm run facet -- user give-views E-MAIL')
}
