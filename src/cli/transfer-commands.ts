import { createWriteStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { counted } from '#src/domain/message-words.ts'
import { LIMITED } from '#src/transfer/export-format.ts'
import { exportLines } from '#src/transfer/export-lines.ts'
import { checkFile, importFile, refuseBase } from '#src/transfer/import-file.ts'
import {
  bringFilesIn,
  copyFilesOut,
  filesBeside,
  type MovedFiles,
  storeBeside,
} from '#src/transfer/moved-files.ts'
import { listContents } from '#src/storage/files/files.ts'
import { makeFile } from '#src/transfer/make-file.ts'
import { exportedSecrets } from '#src/transfer/exported-secrets.ts'
import { openAlone } from '#src/transfer/open-alone.ts'
import { openWhole } from '#src/transfer/open-whole.ts'
import type { Config } from '#src/config/config.ts'
import { Progress } from '#src/cli/progress.ts'
import { refuseNoFile, refuseSurplus } from '#src/cli/command.ts'
import { badRequest } from '#src/domain/errors.ts'
import { sqliteFault } from '#src/sql/database-file.ts'
import { faultsInWords, type KnownBlob } from '#src/files/blob-fault.ts'
import { openStore as openFileStore } from '#src/files/open-store.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { waitingOwners } from '#src/storage/views/waiting-views.ts'

export interface MovingOptions {
  json?: boolean | undefined
  accounts?: boolean | undefined
  out?: string | undefined
}

/** What people read on the way; standard output is for what programs do. */
const report = (text: string) => void process.stderr.write(`${text}\n`)

/** The whole base to standard output, or into a file. */
export async function exportBase(
  { database, secret_keys, files }: Config,
  words: readonly string[],
  { accounts = false, out, json = false }: MovingOptions,
): Promise<string | undefined> {
  refuseSurplus('export', words)
  if (json && out === undefined) throw badRequest('export --json says what was written, and needs --out FILE')
  const connection = await openWhole(database)
  const { open } = exportedSecrets({ database, secret_keys })
  const write = (target: NodeJS.WritableStream) =>
    pipeline(Readable.from(exportLines(connection.db, { accounts, open })), target, {
      end: target !== process.stdout,
    })
  let moved: MovedFiles = { contents: 0, copied: 0, missing: [], damaged: [] }
  try {
    if (out === undefined) {
      await connection.snapshot(() => write(process.stdout))
      if ((await listContents(connection.db, 0, 1)).length)
        report('Files are not in it: --out FILE puts them next to it')
      return undefined
    }
    // Of one moment: the files are those that the rows name.
    await makeFile(out, (unfinished) =>
      connection.snapshot(async () => {
        moved = await copyFilesOut(connection.db, files, out)
        await write(createWriteStream(unfinished))
      }),
    )
  } finally {
    await connection.close()
  }
  const faults = faultsInWords(openFileStore(files).place, moved)
  if (faults.length) process.exitCode = 1
  if (json) return JSON.stringify({ file: out, accounts, bytes: statSync(out).size, files: moved }, null, 2)
  const beside = moved.contents - moved.missing.length - moved.damaged.length
  if (beside)
    report(
      `${counted(beside, 'file is', 'files are')} beside it, ${moved.copied} of them new: ${filesBeside(out)}`,
    )
  for (const each of faults) report(each)
  report(`Exported to ${out}${accounts ? ', with secrets of accounts: keep it safe' : ''}`)
  return undefined
}

/** An export into a new database. */
export async function importBase(
  { database, secret_keys, files }: Config,
  [file, ...rest]: readonly string[],
  { json = false }: MovingOptions,
): Promise<string | undefined> {
  if (file === undefined) throw badRequest('import needs a file')
  refuseSurplus('import', rest)
  refuseNoFile(file)
  const contents: KnownBlob[] = []
  const checked = await checkFile(file, (content) => void contents.push(content))
  const { lines, unhashed, ended_keys, end } = checked
  report(`${file} is whole: ${lines} lines`)
  const { connection, release } = await openAlone(database)
  try {
    await refuseBase(connection, checked)
    const moved = await bringFilesIn(files, storeBeside(file), contents)
    const faults = faultsInWords(moved.from, moved)
    if (faults.length) process.exitCode = 1
    const { resumed } = await load(connection, checked, { database, secret_keys })
    if (json)
      return JSON.stringify(
        {
          file,
          lines,
          resumed,
          unhashed,
          ended_keys,
          counts: end.counts,
          files: moved.brought,
          missing_files: moved.missing,
          damaged_files: moved.damaged,
        },
        null,
        2,
      )
    report(`Imported${resumed ? ' the rest' : ''}:`)
    for (const [kind, count] of Object.entries(end.counts)) report(`  ${kind.padEnd(16)} ${count}`)
    if (moved.brought) report(`${moved.brought} files were brought along`)
    for (const each of faults) report(each)
    if (unhashed)
      report(
        `${unhashed} events of the log had no hash, as older programs wrote them: they are chained from now on, and nothing vouches for what they were before`,
      )
    if (ended_keys) report(endedKeysInWords(ended_keys))
    await reportViews(connection)
    return undefined
  } finally {
    await connection.close()
    release()
  }
}

/** @throws ServiceUnavailable where the disk has no room for it: typed again, the import goes on */
async function load(
  connection: CommandConnection,
  checked: Parameters<typeof importFile>[1],
  { database, secret_keys }: Pick<Config, 'database' | 'secret_keys'>,
): ReturnType<typeof importFile> {
  const { seal } = exportedSecrets({ database, secret_keys })
  const progress = new Progress()
  const onProgress = (done: number) => progress.show(() => `${done} of ${checked.lines} lines`)
  try {
    const loaded = await importFile(connection, checked, { seal, onProgress })
    for (const statement of connection.db.dialect.afterLoading) await connection.exec(statement)
    return loaded
  } catch (error) {
    throw database.engine === 'sqlite' ? sqliteFault(database.file, error) : error
  } finally {
    progress.end()
  }
}

/** What to do about keys that ended as they were imported. */
export const endedKeysInWords = (count: number): string =>
  `${counted(count, 'key has', 'keys have')} ended: the file is older than version ${LIMITED} of the format and does not say which part of the base a key sees. Make them anew`

async function reportViews({ db }: CommandConnection): Promise<void> {
  const owners = await waitingOwners(db)
  if (!owners.length) return
  report('Views whose owners have no account here wait for them:')
  for (const { owner_email, views } of owners) report(`  ${owner_email}  ${views}`)
  report('When one has registered: npm run facet -- user give-views E-MAIL')
}
