import type { TestProject } from 'vitest/node'
import { WebApp } from '#src/api/web/web-app.ts'
import { launchChromiumServer } from '#test/support/chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Chromium of all flows listens. */
    chromium: string
  }
}

export default async function startChromium({ provide }: TestProject): Promise<() => Promise<void>> {
  // Built once, so that no flow waits for it.
  const [server] = await Promise.all([launchChromiumServer(), new WebApp().served()])
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
