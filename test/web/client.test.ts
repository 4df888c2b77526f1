import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { packClient, readmeProgram } from '#test/support/client-package.ts'
import { startService } from '#test/support/service.ts'

/** The page of somebody else, without a bundler. */
const PAGE = `<!doctype html><title>Books</title>
<script type="importmap">{"imports": {"facet-base-client": "/dist/index.js"}}</script>`

/** Sends the page and the files of the package. */
async function startPages(folder: string) {
  const server = createServer(({ url = '/' }, response) => {
    if (!/^\/dist\/[\w-]+\.js$/.test(url))
      return void response.setHeader('content-type', 'text/html').end(PAGE)
    response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, 'package', url)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

it('the README of the client runs as it is printed, in a page of another origin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-client-'))
  packClient(folder)
  const pages = await startPages(folder)
  const service = await startService({ env: { CORS_ORIGINS: pages.origin } })
  const browser = await chromium.connect(inject('chromium'))
  try {
    const owner = await service.user()
    const { key } = await owner.ok('POST', '/api/keys', { name: 'page', scope: 'write' })
    const { program, prints } = readmeProgram(service.url, key)
    const page = await browser.newPage()
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
    page.on('pageerror', (error) => printed.push(String(error)))
    await page.goto(pages.origin)
    await page.addScriptTag({ type: 'module', content: program })
    await expect
      .poll(() => printed.filter((each) => !each.startsWith('Failed to load')).length)
      .toBe(prints.length)
    // A browser reports each refusal by itself.
    expect(printed.filter((each) => !/status of (?:404|412)/.test(each))).toEqual(prints)
  } finally {
    await browser.close()
    await service.close()
    pages.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
