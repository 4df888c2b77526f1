import { ulidTime } from '#src/domain/ulid.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { findUnknownBlobs } from '#src/operations/files/file-steps.ts'
import { hasFileContents, knowsStoreMark, turnStoreMark } from '#src/operations/files/store-mark-steps.ts'
import type { Step } from '#src/runtime/operation.ts'

/**
 * Whose a store of files is by the mark in it (decision 131): `ours`; `another`, which may be what this base was before
 * it was restored; `shared`: ours, and another base has used it too; `unmarked`, with files in it that this base does not know; `empty`, so that nothing can be said.
 */
export type StoreOwner = 'ours' | 'shared' | 'another' | 'unmarked' | 'empty'

type CallStep = <I extends object, O>(step: Step<I, O>, input: I) => Promise<O>

export const OWNING_STEPS = [knowsStoreMark, turnStoreMark, hasFileContents, findUnknownBlobs]

/** Blobs that are asked for at once. */
const ASKED = 500
/** In milliseconds. An upload that still comes after so long is none. */
const DAY = 24 * 60 * 60 * 1000

/** Whether the mark is this base's, so that what is in the store is its own to remove. */
export async function ownsStore(call: CallStep, files: FileStore): Promise<boolean> {
  const seen = await files.readMark('facet-owner')
  return seen !== null && call(knowsStoreMark, { seen })
}

/** Whose the store is; where it has no mark, whose it can be. */
export const ownerNow = async (call: CallStep, files: FileStore, now: number): Promise<StoreOwner> =>
  ownerBy(await files.readMark('facet-owner'), call, files, now)

/** The same; marks a store that has no mark and can be no other base's, and from day to day makes the mark anew. */
export async function settleOwner(call: CallStep, files: FileStore, now: number): Promise<StoreOwner> {
  const seen = await files.readMark('facet-owner')
  const owner = await ownerBy(seen, call, files, now)
  if (owner === 'ours' || owner === 'shared') await turn(call, files, seen)
  // Before anything of this base is a day old there, its owner knows of it.
  else if (owner !== 'empty') await files.writeMark('facet-others', new Date(now).toISOString())
  return owner
}

async function ownerBy(
  seen: string | null,
  call: CallStep,
  files: FileStore,
  now: number,
): Promise<StoreOwner> {
  if (seen === null) return strangersIn(call, files, now)
  if (!(await call(knowsStoreMark, { seen }))) return 'another'
  return (await files.readMark('facet-others')) === null ? 'ours' : 'shared'
}

/** Makes the store this base's alone, whosever it was. */
export async function takeOver(call: CallStep, files: FileStore): Promise<void> {
  await turn(call, files, null)
  await files.writeMark('facet-others', '')
}

async function turn(call: CallStep, files: FileStore, seen: string | null): Promise<void> {
  const mark = await call(turnStoreMark, { seen })
  if (mark !== seen) await files.writeMark('facet-owner', mark)
}

/** Of a store without a mark: what it has tells whose it can be. */
async function strangersIn(
  call: CallStep,
  files: FileStore,
  now: number,
): Promise<'ours' | 'unmarked' | 'empty'> {
  let [known, count] = [0, 0]
  for await (const blobs of inPages(files)) {
    const unknown = await call(findUnknownBlobs, { blobs })
    // Uploads that are just coming are in no row yet.
    if (unknown.some((blob) => isOld(blob, now))) return 'unmarked'
    known += blobs.length - unknown.length
    count += blobs.length
  }
  if (count) return known ? 'ours' : 'unmarked'
  return (await call(hasFileContents, {})) ? 'empty' : 'ours'
}

/** Blobs that are in the store and in no row, and have been for a day, in pages. */
export async function* leftBlobs(call: CallStep, files: FileStore, now: number): AsyncGenerator<string[]> {
  for await (const blobs of inPages(files)) {
    const old = blobs.filter((blob) => isOld(blob, now))
    const unknown = old.length ? await call(findUnknownBlobs, { blobs: old }) : []
    if (unknown.length) yield unknown
  }
}

const isOld = (blob: string, now: number) => ulidTime(blob) < now - DAY

async function* inPages(files: FileStore): AsyncGenerator<string[]> {
  let page: string[] = []
  for await (const { blob } of files.list()) {
    page.push(blob)
    if (page.length < ASKED) continue
    yield page
    page = []
  }
  if (page.length) yield page
}

/** What the owner of a store keeps this base from, in words; null: it is its own. */
export function ownerInWords(owner: StoreOwner, place: string): string | null {
  if (owner === 'another')
    return `${place} is the store of another base, or of what this one was before it was restored or moved: nothing is removed there`
  if (owner === 'shared')
    return `${place} is the store of this base, and another one has used it too: what this one does not know is not removed there`
  return owner === 'unmarked'
    ? `${place} has files that this base does not know, and no mark that says whose it is: nothing is removed there`
    : null
}

/** What to do about it. */
export const TAKE_OVER =
  'Set FILES to a place of its own, or, where no other base uses this one and none will be put back: facet files sweep --take-over'
