import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { NOBODY } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import { withinTransaction } from '#src/engine/transaction.ts'
import { FolderStore } from '#src/files/folder-store.ts'
import { UploadRoom } from '#src/files/upload-room.ts'
import { storeFile } from '#src/operations/files/store-file.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { sqliteFault } from '#src/sql/sqlite-fault.ts'
import { openBase } from '#test/support/base.ts'

const run = sqlRunner(sqlSteps)
const newId = ulidSource()
const FULL = { code: 'InsufficientStorage' }

/** Uploads into a real base and a real folder, whose removals can be made to fail. */
async function uploads() {
  const base = await openBase()
  const folder = mkdtempSync(join(tmpdir(), 'facet-files-'))
  onTestFinished(() => {
    base.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { db } = base
  const user_id = newId(Date.now())
  db.statement(
    'insert into account (user_id, email, email_key, created_at, role) values (?, ?, ?, ?, ?)',
  ).run([user_id, 'a@example.org', 'a@example.org', new Date().toISOString(), 'editor'])
  const state = { isAway: false, isLost: false, left: [] as string[] }
  class Store extends FolderStore {
    override async remove(blob: string): Promise<void> {
      if (state.isAway) throw unavailable('The store is away')
      await super.remove(blob)
    }
  }
  const files = new Store(folder)
  const carryOut = async (call: SqlCall): Promise<Reply> => {
    const work = () => run(db, call, () => newId(call.now))
    const reply = await withinTransaction(db, db.dialect.begin.write, work).catch((error: unknown) => {
      throw sqliteFault(error) ?? error
    })
    if (call.name === 'keepFile' && state.isLost) throw unavailable('Whether it was stored is unknown')
    return reply
  }
  const services = {
    files,
    uploads: new UploadRoom(),
    config: { file_limit: 1e6, time_zone: 'UTC' },
    changes: { happened() {} },
    notifications: { happened() {} },
    onBytesLeft: (_: unknown, blob: string) => void state.left.push(blob),
  }
  const engine = { read: carryOut, readInline: carryOut, write: carryOut }
  const runtime = { engine, services, clock: Date.now } as unknown as Runtime
  const caller = { ...NOBODY, user_id, role: 'editor' } as const
  return {
    db,
    state,
    store: (text: string, file_id?: string) =>
      storeFile(runtime, caller, {
        name: 'a.txt',
        content: bytesOf(text),
        ...(file_id && { file_id }),
      }),
    blobs: async () => {
      const found: string[] = []
      for await (const { blob } of files.list()) found.push(blob)
      return found.sort()
    },
    known: async () =>
      (await db.select<{ blob: string }>({ sql: 'select blob from file_content', parameters: [] }))
        .map(({ blob }) => blob)
        .sort(),
  }
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

describe('an upload', () => {
  it('keeps no bytes where the disk of the database is full', async () => {
    const { db, store, blobs, known } = await uploads()
    await store('before')
    db.exec('PRAGMA max_page_count = 1')
    const fill = async () => {
      for (let i = 0; i < 1000; i++) await store(`file ${i}`)
    }
    await expect(fill()).rejects.toMatchObject(FULL)
    expect(await blobs()).toEqual(await known())
    db.exec('PRAGMA max_page_count = 1000000')
    await store('there is room again')
  })

  it('is one where its bytes were there and cannot be removed a second time: the sweep takes them', async () => {
    const { state, store, blobs, known } = await uploads()
    const one = await store('the same')
    state.isAway = true
    const two = await store('the same')
    expect({ ...two, file_id: one.file_id }).toEqual(one)
    expect((await blobs()).filter((each) => !state.left.includes(each))).toEqual(await known())
    expect(state.left).toHaveLength(1)
  })

  it('says why it failed, also where its bytes cannot be removed', async () => {
    const { db, state, store } = await uploads()
    state.isAway = true
    db.exec('PRAGMA max_page_count = 1')
    const fill = async () => {
      for (let i = 0; i < 1000; i++) await store(`file ${i}`)
    }
    await expect(fill()).rejects.toMatchObject(FULL)
    expect(state.left).toHaveLength(1)
  })

  it('under an id of its own can be sent again where nobody knows whether it was stored', async () => {
    const { state, store, blobs, known } = await uploads()
    const file_id = newId(Date.now())
    state.isLost = true
    await expect(store('sent twice', file_id)).rejects.toMatchObject({ code: 'ServiceUnavailable' })
    state.isLost = false
    expect(await store('sent twice', file_id)).toMatchObject({ file_id, size: 10 })
    await expect(store('something else', file_id)).rejects.toMatchObject({ code: 'Conflict' })
    expect(await blobs()).toEqual(await known())
  })
})
