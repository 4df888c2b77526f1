import type { TestProject } from 'vitest/node'
import { launchChromiumServer } from '#test/support/chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Chromium of all flows listens. */
    chromium: string
  }
}

export default async function startChromium({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await launchChromiumServer()
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
