import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type Service } from '#test/support/service.ts'

describe('the service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('answers health without a session', async () => {
    expect(await service.client().get('/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})
