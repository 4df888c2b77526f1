import { OPERATOR } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Look } from '#src/imports/look/look.ts'
import type { ImportFormat } from '#src/imports/source.ts'
import type { Mapping } from '#src/operations/imports/import-plan.ts'
import { expiryOf, type ImportPlace, storedCaller } from '#src/operations/imports/import-record.ts'
import type { Measure } from '#src/files/measured-content.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { holdFiles } from '#src/storage/files/file-uses.ts'
import { addFile, fileInUse } from '#src/storage/files/files.ts'
import {
  deleteImportRow,
  findImport,
  holderOf,
  type ImportRecord,
  insertImport,
  updateImport,
} from '#src/storage/imports/imports.ts'

/** An import of a file that is the operator's own: no process of the service takes it up. */
export const addOperatorImport = defineStep({
  name: 'addOperatorImport',
  effect: 'write',
  async run(
    { db, now, newId },
    { file_name, format, look }: { file_name: string; format: ImportFormat; look: Look },
  ): Promise<Ulid> {
    const import_id = newId()
    const place: ImportPlace = { turn: newId(), pass: 0, n: 0 }
    await insertImport(db, {
      import_id,
      user_id: null,
      file_id: null,
      file_name,
      format,
      caller: storedCaller(OPERATOR),
      created_at: now.toISOString(),
      expires_at: expiryOf(now),
      state: 'ready',
      job: null,
      place: JSON.stringify(place),
    })
    const record = await findImport(db, import_id)
    await updateImport(db, record!.id, { look: JSON.stringify(look) })
    return import_id
  },
})

/** The import as it is to be worked on; with a mapping it is checked, without one written. */
export const beginOperatorJob = defineStep({
  name: 'beginOperatorJob',
  effect: 'write',
  async run(
    { db, newId },
    { import_id, mapping }: { import_id: Ulid; mapping?: Mapping },
  ): Promise<ImportRecord> {
    const record = await findImport(db, import_id)
    if (!record) throw notFound('Import', import_id)
    const place: ImportPlace = { turn: newId(), pass: 0, n: 0, on_fault: 'refuse' }
    const values = mapping
      ? ({ state: 'checking', job: 'check', mapping: JSON.stringify(mapping) } as const)
      : ({ state: 'checking', job: 'run' } as const)
    const changed = { ...values, place: JSON.stringify(place) }
    await updateImport(db, record.id, changed)
    return { ...record, ...changed }
  },
})

/** A file out of the archive, which the import holds: any row may have it. */
export const keepOperatorFile = defineStep({
  name: 'keepOperatorFile',
  effect: 'write',
  async run(
    { db, now, newId },
    {
      import_id,
      was,
      ...file
    }: { import_id: Ulid; blob: string; name: string; was?: Ulid | undefined } & Measure,
  ): Promise<{ file_id: Ulid; isNew: boolean }> {
    const alike = await fileInUse(db, { ...file, was })
    const file_id = alike ?? newId()
    const added = { ...file, file_id, user_id: null, created_at: now.toISOString() }
    const isNew = alike === undefined && (await addFile(db, added))
    await holdFiles(db, [file_id], holderOf(import_id), { shared: true })
    return { file_id, isNew }
  },
})

export const findOperatorImport = defineStep({
  name: 'findOperatorImport',
  effect: 'read',
  async run({ db }, { import_id }: { import_id: Ulid }): Promise<ImportRecord> {
    const record = await findImport(db, import_id)
    if (!record) throw notFound('Import', import_id)
    return record
  },
})

/** Nothing was written. */
export const dropOperatorImport = defineStep({
  name: 'dropOperatorImport',
  effect: 'write',
  async run({ db }, { import_id }: { import_id: Ulid }): Promise<null> {
    const record = await findImport(db, import_id)
    if (record) await deleteImportRow(db, record.id)
    return null
  },
})
