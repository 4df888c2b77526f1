import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type Service } from '#test/support/service.ts'

const FRIEND = 'https://app.example.org'

describe('CORS_ORIGINS', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { CORS_ORIGINS: `${FRIEND}, http://localhost:5173` } })
  })
  afterAll(() => service.close())

  const corsOf = (headers: Headers) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

  for (const origin of [FRIEND, 'http://localhost:5173'])
    it(`lets ${origin} call with credentials and read our headers`, async () => {
      const { status, headers } = await service.client().get('/api/health', { origin })
      expect([status, headers.get('vary'), corsOf(headers)]).toEqual([
        200,
        'Origin',
        {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': expect.stringContaining(
            'X-Next-Cursor, X-Total-Count, X-Filter-Warnings',
          ),
        },
      ])
    })

  it('answers the question before a request', async () => {
    const { status, headers, body } = await service.client().send('OPTIONS', '/api/auth/profile', undefined, {
      origin: FRIEND,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    })
    expect([status, body, corsOf(headers)]).toMatchObject([
      204,
      '',
      {
        'access-control-allow-origin': FRIEND,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'OPTIONS, PUT',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
      },
    ])
  })

  it('lets a page read the name and the range of a file', async () => {
    const { headers } = await service.client().get('/api/health', { origin: FRIEND })
    const exposed = headers.get('access-control-expose-headers')!.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['Content-Disposition', 'Content-Range', 'X-Event-Id']))
  })

  it('says so on errors too, so that a page can read them', async () => {
    const user = service.client()
    for (const path of ['/api/nope', '/api/auth/me', '/api/tags/%zz'])
      expect((await user.get(path, { origin: FRIEND })).headers.get('access-control-allow-origin')).toBe(
        FRIEND,
      )
  })

  for (const origin of [
    'https://evil.example',
    'null',
    'https://app.example.org.evil.example',
    'http://app.example.org',
    'https://app.example.org:444',
  ])
    it(`tells ${origin} nothing`, async () => {
      expect(corsOf((await service.client().get('/api/health', { origin })).headers)).toEqual({})
      const preflight = await service
        .client()
        .send('OPTIONS', '/api/auth/profile', undefined, { origin, 'access-control-request-method': 'PUT' })
      expect(corsOf(preflight.headers)).toEqual({})
    })
})
