import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type Service } from '#test/support/service.ts'

const pem = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url))

describe('TLS_CERT and TLS_KEY', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { TLS_CERT: pem('cert'), TLS_KEY: pem('key') } })
  })
  afterAll(() => service.close())

  it('serve HTTPS', async () => {
    expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(await send('GET', '/api/health')).toEqual([200, { status: 'ok' }])
    expect(await send('GET', '/api/nope')).toMatchObject([404, { error: 'NotFound' }])
  })

  it('take the address with https as their own', async () => {
    const { port } = new URL(service.url)
    const from = (origin: string) => send('POST', '/api/auth/logout', { origin })
    expect((await from(`https://localhost:${port}`))[0]).toBe(401)
    expect((await from(`https://127.0.0.1:${port}`))[0]).toBe(401)
    expect((await from(`http://127.0.0.1:${port}`))[0]).toBe(403)
  })

  it('answer nobody in plain HTTP', async () => {
    await expect(fetch(service.url.replace('https', 'http') + '/api/health')).rejects.toThrow()
  })

  it('tells browsers to come back by HTTPS alone (RFC 6797), which plain HTTP does not', async () => {
    const strict = await new Promise((resolve, reject) => {
      const url = `${service.url}/api/health`
      request(url, { ca: readFileSync(pem('cert')) }, (response) => {
        resolve(response.headers['strict-transport-security'])
        response.resume()
      })
        .on('error', reject)
        .end()
    })
    expect(strict).toBe('max-age=63072000')
    const behind = await startService({ env: { TRUST_PROXY: 'true' } })
    const strictOf = async (headers = {}) =>
      (await behind.client().get('/api/health', headers)).headers.get('strict-transport-security')
    expect(await strictOf()).toBeNull()
    expect(await strictOf({ 'x-forwarded-proto': 'https' })).toBe('max-age=63072000')
    await behind.close()
  })

  function send(method: string, path: string, headers = {}): Promise<[status: number, body: unknown]> {
    return new Promise((resolve, reject) => {
      const sent = request(
        service.url + path,
        { method, headers, ca: readFileSync(pem('cert')) },
        (response) => {
          let text = ''
          response.on('data', (data) => (text += data))
          response.on('end', () => resolve([response.statusCode ?? 0, JSON.parse(text)]))
        },
      )
      sent.on('error', reject)
      sent.end()
    })
  }
})
