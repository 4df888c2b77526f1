import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '#test/support/chromium.ts'
import { startService, type Service } from '#test/support/service.ts'

describe('the explorer in Chromium', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  it('shows and tries every route under its policy, with nothing from elsewhere', async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    const hosts = new Set<string>()
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/api/swagger-ui/`)
    // The explorer draws what is in sight alone.
    const register = page.getByText('/api/auth/register', { exact: true })
    await page.getByText('/api/audit-log', { exact: true }).waitFor()
    await expect
      .poll(() => page.mouse.wheel(0, 300).then(() => register.count()), { timeout: 20_000 })
      .toBe(1)
    await register.click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    const body = { email: 'ada@example.org', password: 'correct horse' }
    await page.locator('textarea').fill(JSON.stringify(body))
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.locator('.responses-table.live-responses-table').getByText('200', { exact: true }).waitFor()
    expect(await page.evaluate(async () => (await fetch('/api/auth/me')).status)).toBe(200)
    expect([faults, hosts.size]).toEqual([[], 1])
  })
})
