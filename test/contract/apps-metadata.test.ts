import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedFetch, isPublicAddress } from '#src/auth/guarded-fetch.ts'
import { Client } from '#test/support/client.ts'
import { OauthApp, REDIRECT } from '#test/support/oauth-app.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { startService } from '#test/support/service.ts'

const pem = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url))
const CERT = { NODE_EXTRA_CA_CERTS: pem('cert') }

describe('apps by the address of their metadata', () => {
  let documents: Server
  let base: string
  let asked: string[] = []
  beforeAll(async () => {
    documents = createServer(
      { cert: readFileSync(pem('cert')), key: readFileSync(pem('key')) },
      (request, response) => {
        asked.push(request.url!)
        const client_id = base + request.url!
        const document = {
          client_id,
          client_name: 'By its address',
          client_uri: 'https://app.example',
          redirect_uris: ['http://localhost/callback', REDIRECT],
          grant_types: [
            'authorization_code',
            'refresh_token',
            'urn:ietf:params:oauth:grant-type:device_code',
          ],
          token_endpoint_auth_method: 'none',
        }
        const send = (value: unknown, status = 200, headers = {}) =>
          response
            .writeHead(status, { 'content-type': 'application/json', ...headers })
            .end(JSON.stringify(value))
        if (request.url === '/moved') send({}, 302, { location: `${base}/good` })
        else if (request.url === '/huge') send({ ...document, padding: 'x'.repeat(10 * 1024 * 1024) })
        else if (request.url === '/other') send({ ...document, client_id: `${base}/good` })
        else if (request.url === '/secret')
          send({ ...document, token_endpoint_auth_method: 'client_secret_post' })
        else if (request.url === '/open-wire')
          send({ ...document, redirect_uris: ['http://app.example/callback'] })
        else if (request.url === '/slow') response.writeHead(200).write('{')
        else send(document)
      },
    )
    await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve))
    base = `https://localhost:${(documents.address() as AddressInfo).port}`
  })
  afterAll(() => {
    documents.closeAllConnections()
    documents.close()
  })

  it('are let in, where such addresses may be fetched', async () => {
    await using facet = new ServiceProcess({ env: { ...CERT, APP_FETCH_PRIVATE: 'true', LOG_LEVEL: 'warn' } })
    const url = await facet.url()
    const user = new Client(url)
    await user.ok('POST', '/api/auth/register', { email: 'ann@example.org', password: 'correct horse' })
    const named = async (path: string) => {
      const app = new OauthApp(url, base + path)
      await app.discover()
      return app
    }
    const good = await named('/good')
    const tokens = await good.tokens(user)
    expect(
      (await fetch(`${url}/api/items`, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .status,
    ).toBe(200)
    expect((await good.refresh(tokens.refresh_token)).status).toBe(200)
    expect(await user.ok('GET', '/api/auth/apps')).toMatchObject([
      { name: 'By its address', client_uri: 'https://app.example', scope: 'write' },
    ])
    for (const path of ['/moved', '/huge', '/other', '/secret', '/open-wire', '/slow']) {
      const begun = performance.now()
      const { status, location } = await (await named(path)).ask(user)
      // Five seconds, and what a busy machine adds; the server would never end it.
      expect(performance.now() - begun, path).toBeLessThan(30_000)
      expect({ path, status, location }).toEqual({
        path,
        status: expect.toSatisfy((s: number) => s >= 400 && s < 500),
        location: null,
      })
    }
    expect(asked.filter((path) => path === '/slow')).toHaveLength(1)
  }, 90_000)

  it('are not fetched from private addresses, by name or by number', async () => {
    const service = await startService()
    const user = await service.user()
    asked = []
    const { port } = documents.address() as AddressInfo
    for (const host of [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      'localhost.',
    ]) {
      const app = new OauthApp(service.url, `https://${host}:${port}/good`)
      await app.discover()
      expect((await app.ask(user)).status, host).toBe(400)
    }
    const plain = new OauthApp(service.url, `http://localhost:${port}/good`)
    await plain.discover()
    expect((await plain.ask(user)).status).toBe(400)
    expect(asked).toEqual([])
    await service.close()
  })

  it('are known to be private by their ranges', () => {
    const own = [
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '127.0.0.2',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
      '198.18.0.1',
      '::1',
      '::',
      'fc00::1',
      'fe80::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '::127.0.0.1',
      'nonsense',
    ]
    expect(own.filter((each) => isPublicAddress(each))).toEqual([])
    const open = ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111']
    expect(open.filter((each) => !isPublicAddress(each))).toEqual([])
  })

  it('are fetched over https alone', async () => {
    const options = { private: true, timeout: 1000, limit: 10 }
    await expect(guardedFetch('http://localhost/', {}, options)).rejects.toThrow('https')
  })
})
