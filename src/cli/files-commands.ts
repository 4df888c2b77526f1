import { type Options, refuseOptions, refuseSurplus } from '#src/cli/command.ts'
import { openStore, type Store } from '#src/cli/open-store.ts'
import { Progress } from '#src/cli/progress.ts'
import type { Config } from '#src/config/config.ts'
import { badRequest, conflict } from '#src/domain/errors.ts'
import { counted } from '#src/domain/message-words.ts'
import { blobFault } from '#src/files/blob-fault.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { openStore as openFileStore } from '#src/files/open-store.ts'
import {
  findContents,
  forgetBlobs,
  removeLogOnlyFiles,
  sweepFiles,
} from '#src/operations/files/file-steps.ts'
import {
  leftBlobs,
  ownerInWords,
  ownerNow,
  OWNING_STEPS,
  settleOwner,
  TAKE_OVER,
  takeOver,
} from '#src/operations/files/store-owner.ts'
import type { RemovedFile } from '#src/storage/files/log-only-files.ts'

const USE = 'files verify, or files sweep --unused-for 90d (or --take-over)'
const DAY = 24 * 60 * 60 * 1000
const PAGE = 100
const STEPS = [findContents, forgetBlobs, removeLogOnlyFiles, sweepFiles, ...OWNING_STEPS]

/** Carries out `files verify` and `files sweep`; answers what is printed. */
export async function runFilesCommand(
  config: Config,
  [command, ...rest]: readonly string[],
  options: Options,
): Promise<string> {
  if (command !== 'verify' && command !== 'sweep')
    throw badRequest('files needs the command verify or sweep', { suggestion: USE })
  refuseSurplus(`files ${command}`, rest)
  const allowed = command === 'sweep' ? (['json', 'unused-for', 'take-over'] as const) : (['json'] as const)
  refuseOptions(`files ${command}`, allowed, options)
  const { json = false, 'unused-for': unused_for, 'take-over': takes_over = false } = options
  const days = command === 'sweep' && !(takes_over && unused_for === undefined) ? daysOf(unused_for) : null
  const store = await openStore(config, STEPS)
  try {
    const files = openFileStore(config.files)
    if (command === 'verify') return await verify(store, files, json)
    const told = takes_over ? [await take(store, files, json)] : []
    if (!takes_over) await refuseAnothers(store, files)
    if (days !== null) told.push(await sweep(store, files, days, json))
    return json ? told.at(-1)! : told.join('\n')
  } finally {
    await store.close()
  }
}

/** Makes the store this base's; what the service will remove there then. */
async function take(store: Store, files: FileStore, json: boolean): Promise<string> {
  let left = 0
  for await (const blobs of leftBlobs(store.call, files, Date.now())) left += blobs.length
  await takeOver(store.call, files)
  if (json) return JSON.stringify({ place: files.place, owner: 'ours', unknown: left }, null, 2)
  return `${files.place} is this base's from now on; the service removes ${counted(left, 'content')} there that it does not know`
}

/** @throws Conflict where what is in the store is not this base's to remove */
async function refuseAnothers(store: Store, files: FileStore): Promise<void> {
  const owner = await settleOwner(store.call, files, Date.now())
  const doubt = owner === 'shared' ? null : ownerInWords(owner, files.place)
  if (doubt !== null) throw conflict(doubt, { suggestion: TAKE_OVER })
}

function daysOf(text: string | undefined): number {
  const [, days] = /^([1-9]\d{0,4})d$/.exec(text ?? '') ?? []
  if (days === undefined)
    throw badRequest('files sweep needs --unused-for with a number of days, such as 90d', { suggestion: USE })
  return Number(days)
}

interface Fault {
  file_id: string
  name: string
  fault: 'missing' | 'damaged'
}

/** Reads every file; what is wrong makes the exit code 1. */
async function verify(store: Store, files: FileStore, json: boolean): Promise<string> {
  const faults: Fault[] = []
  const progress = new Progress()
  let [count, bytes, after] = [0, 0, 0]
  try {
    for (let more = true; more;) {
      const page = await store.call(findContents, { after, limit: PAGE })
      for (const { id, blob, size, sha256, of } of page) {
        const fault = await blobFault(files, { blob, size, sha256 })
        if (fault) faults.push(...of.map((file) => ({ ...file, fault })))
        count++
        bytes += size
        after = id
        progress.show(() => `${counted(count, 'file')} read`)
      }
      more = page.length === PAGE
    }
  } finally {
    progress.end()
  }
  if (faults.length) process.exitCode = 1
  const owner = await ownerNow(store.call, files, Date.now())
  if (json) return JSON.stringify({ place: files.place, owner, contents: count, bytes, faults }, null, 2)
  const doubt = ownerInWords(owner, files.place)
  const told = doubt === null ? [] : [`${doubt}. ${TAKE_OVER}`]
  if (!faults.length)
    return [`${files.place} is whole: ${counted(count, 'content')}, ${counted(bytes, 'byte')}`, ...told].join(
      '\n',
    )
  return [
    `In ${files.place} ${faults.length} of the files are missing or damaged:`,
    ...faults.map(({ file_id, name, fault }) => `  ${file_id}  ${fault}  ${name}`),
    ...told,
  ].join('\n')
}

/** Removes files to which only the log has referred for this long. */
async function sweep(store: Store, files: FileStore, days: number, json: boolean): Promise<string> {
  const before = new Date(Date.now() - days * DAY).toISOString()
  const removed: RemovedFile[] = []
  for (let after: number | null = 0; after !== null;) {
    const page: { removed: RemovedFile[]; next: number | null } = await store.call(removeLogOnlyFiles, {
      after,
      before,
    })
    removed.push(...page.removed)
    after = page.next
  }
  for (let more = true; more;) {
    const swept = await store.call(sweepFiles, {})
    for (const { blob } of swept.dropped) await files.remove(blob)
    if (swept.dropped.length) await store.call(forgetBlobs, { ids: swept.dropped.map(({ id }) => id) })
    more = swept.more
  }
  const bytes = removed.reduce((sum, { size }) => sum + size, 0)
  if (json)
    return JSON.stringify(
      { removed: removed.map(({ file_id, name, size }) => ({ file_id, name, size })), bytes },
      null,
      2,
    )
  return `Removed ${counted(removed.length, 'file')} that only the log refers to, ${counted(bytes, 'byte')}`
}
