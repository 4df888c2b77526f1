import { afterAll, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { SealedBase } from '#test/support/sealed-base.ts'

const base = new SealedBase()
afterAll(() => base.close())

it('a second machine, with a key of its own, does not start on secrets that it could not read', async () => {
  const { secret } = await base.serve('c'.repeat(64), (service) => base.enrol(service, 'ada@example.org'))
  const start = base.serve('', async () => {})
  await expect(start).rejects.toBeInstanceOf(ServiceError)
  await expect(start).rejects.toThrow('1 TOTP secret encrypted with another key')
  await expect(start).rejects.toMatchObject({ suggestion: expect.stringContaining('one SECRET_KEY') })
  await base.serve('c'.repeat(64), async (service) =>
    expect(await base.signIn(service, 'ada@example.org', { secret })).toMatchObject({ status: 200 }),
  )
})
