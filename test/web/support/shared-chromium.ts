import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { WebApp } from '#src/api/web/web-app.ts'
import { launchChromiumServer } from '#test/support/chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Chromium of all flows listens. */
    chromium: string
    /** The file in which flows tell each other what axe need not be asked again. */
    passed: string
  }
}

export default async function startChromium({ provide }: TestProject): Promise<() => Promise<void>> {
  // Built once, so that no flow waits for it.
  const [server] = await Promise.all([launchChromiumServer(), new WebApp().served()])
  const folder = mkdtempSync(join(tmpdir(), 'facet-passed-'))
  provide('chromium', server.wsEndpoint())
  provide('passed', join(folder, 'passed'))
  return async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  }
}
