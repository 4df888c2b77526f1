import { afterAll, beforeAll, expect, it } from 'vitest'
import { endImportJob } from '#src/operations/imports/import-steps.ts'
import { insertAccount } from '#src/storage/accounts/accounts.ts'
import { findImport, type ImportState, insertImport } from '#src/storage/imports/imports.ts'
import { notificationsBefore } from '#src/storage/notifications/notifications.ts'
import { openBase } from '#test/support/base.ts'

const USER = '01JJXZ5T7GQ3M8K4B9R2C6D0VS'
const CREATED = '2026-01-31T09:30:00.000Z'
const TURN = 'one'

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
  await insertAccount(base.db, {
    user_id: USER,
    email: 'a@example.org',
    email_key: 'a@example.org',
    display_name: null,
    password_hash: null,
    email_proven_at: null,
    created_at: CREATED,
    role: 'editor',
  })
})
afterAll(() => base.close())

const told = async () => (await notificationsBefore(base.db, USER, undefined, 10)).map(({ about }) => about)

const begun = (import_id: string, job: 'run' | 'check' | 'undo', pass: number, n: number) =>
  insertImport(base.db, {
    import_id,
    user_id: USER,
    file_id: null,
    file_name: 'a.csv',
    format: 'csv',
    caller: '{}',
    created_at: CREATED,
    expires_at: CREATED,
    state: 'running',
    job,
    place: JSON.stringify({ turn: TURN, pass, n }),
  })

async function ended(import_id: string, job: 'run' | 'check', state: ImportState): Promise<boolean> {
  await begun(import_id, job, 1, 0)
  const error = state === 'failed' ? JSON.stringify({ code: 'NotFound', message: 'gone' }) : null
  const reached = { pass: 1, n: 0 } as const
  return base.runStep(endImportJob, { import_id, turn: TURN, reached, values: { state, error } })
}

it('tells of an import that has run, also where it failed, and not of one that was looked at', async () => {
  const [done, failed, checked] = ['A', 'B', 'C'].map((end) => USER.slice(0, -1) + end) as [
    string,
    string,
    string,
  ]
  expect(await ended(done, 'run', 'done')).toBe(true)
  expect(await told()).toEqual([done])
  expect(await ended(failed, 'run', 'failed')).toBe(true)
  expect(await told()).toEqual([failed, done])
  expect(await ended(checked, 'check', 'ready')).toBe(true)
  expect(await told()).toEqual([failed, done])
})

it.each([
  ['writes', 'run', [1, 250], { pass: 0, n: null }],
  ['has written more', 'run', [1, 500], { pass: 1, n: 250 }],
  ['is at what rows say of each other', 'run', [2, 250], { pass: 1, n: 250 }],
  ['takes back', 'undo', [0, 1], { pass: 0, n: 0 }],
] as const)(
  'leaves an import to the process that went on with it and %s',
  async (_, job, [pass, n], reached) => {
    const import_id = `${USER.slice(0, -2)}${pass}${job === 'undo' ? 'Z' : n / 250}`
    await begun(import_id, job, pass, n)
    const values = { state: 'ready' } as const
    expect(await base.runStep(endImportJob, { import_id, turn: TURN, reached, values })).toBe(false)
    expect(await findImport(base.db, import_id)).toMatchObject({ state: 'running', job })
  },
)
