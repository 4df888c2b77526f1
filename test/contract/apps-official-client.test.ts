import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client as McpClient,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '#test/support/chromium.ts'
import { callTool } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

/** What a program on this machine keeps; the browser comes back to its own small server. */
class Provider implements OAuthClientProvider {
  information: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  asked: URL | undefined
  readonly redirectUrl: string

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
  }
  get clientMetadata() {
    return {
      client_name: 'Official client',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation = () => this.information
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information
  }
  tokens = () => this.kept
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

describe('the official client', () => {
  let service: Service
  let browser: Browser
  let site: string
  const waiting = createServer((_, response) => response.end('You can close this window'))
  beforeAll(async () => {
    service = await startService()
    site = service.url.replace('127.0.0.1', 'localhost')
    await service.user('ann@example.org')
    await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await new Promise((resolve) => waiting.close(resolve))
    await service.close()
  })

  const newProvider = () =>
    new Provider(`http://127.0.0.1:${(waiting.address() as AddressInfo).port}/callback`)
  const transportOf = (authProvider: Provider) =>
    new StreamableHTTPClientTransport(new URL(`${site}/api/mcp`), { authProvider })
  const signIn = async (page: Page) => {
    await page.getByLabel(/e-?mail/i).fill('ann@example.org')
    await page.getByLabel(/^password/i).fill('correct horse')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  /** Connects as far as the client can by itself, then lets a person answer in the browser. */
  const connect = async (provider: Provider, answer: (page: Page) => Promise<void>) => {
    const first = transportOf(provider)
    await expect(new McpClient({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(
      UnauthorizedError,
    )
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(provider.asked!.href)
    await answer(page)
    await page.waitForURL(/\/callback\?/)
    const back = new URL(page.url())
    await context.close()
    await first.finishAuth(back.searchParams)
    const client = new McpClient({ name: 'test', version: '1' })
    await client.connect(transportOf(provider))
    return client
  }

  it('registers, signs in, works, refreshes, and is turned away when it is revoked', async () => {
    const provider = newProvider()
    const client = await connect(provider, async (page) => {
      await signIn(page)
      await page.getByRole('heading', { name: /Let Official client use Facet/ }).waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
    })
    expect((await callTool(client, 'add_item', { name: 'By the official client' })).error).toBeUndefined()
    await client.close()
    const before = provider.kept!
    expect(before.refresh_token).toBeTruthy()
    provider.kept = { ...before, access_token: 'expired' }
    const again = new McpClient({ name: 'test', version: '1' })
    await again.connect(transportOf(provider))
    expect(provider.kept.access_token).not.toBe(before.access_token)
    expect((await callTool(again, 'get_items', { limit: 1 })).error).toBeUndefined()
    const ann = service.client()
    await ann.ok('POST', '/api/auth/login', { email: 'ann@example.org', password: 'correct horse' })
    const [{ app_id }] = await ann.ok('GET', '/api/auth/apps')
    const [event] = await ann.ok('POST', '/api/audit-log/search', { limit: 1 })
    expect(event.source).toBe('mcp')
    await ann.ok('DELETE', `/api/auth/apps/${app_id}`)
    await expect(callTool(again, 'get_items', { limit: 1 })).rejects.toThrow()
    await again.close()
  })

  it('may only read where the person says so', async () => {
    const provider = newProvider()
    const client = await connect(provider, async (page) => {
      await signIn(page)
      await page.getByLabel(/change nothing/).check()
      await page.getByRole('button', { name: 'Allow' }).click()
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('add_item')
    await client.close()
  })
})
