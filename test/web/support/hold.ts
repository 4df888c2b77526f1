import type { Page } from 'playwright-core'

export interface Held {
  /** Resolves when the first of them has been asked. */
  asked: Promise<void>
  /** How many have been asked. */
  count: () => number
  /** Lets them, and all that follow, go on. */
  send: () => void
}

/** Holds the calls of one kind, so that a flow can press on before their answer comes. */
export async function hold(page: Page, method: string, path: string | RegExp): Promise<Held> {
  const { promise: held, resolve: send } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  let count = 0
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      count++
      ask()
      await held
    }
    await route.continue()
  })
  return { asked, count: () => count, send }
}
