import type { Client } from '#test/support/client.ts'

/**
 * Until it is called off, what asks for a path asks as a page of this client's does, and listens to a window: modules of
 * the web application are tried against the service without a browser.
 */
export function asPage(client: Client): () => void {
  const { fetch } = globalThis
  const window = new EventTarget()
  const ofPage = {
    fetch: (input: string | URL | Request, init?: RequestInit) =>
      typeof input === 'string' && input.startsWith('/') ? client.fetch(input, init) : fetch(input, init),
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  }
  Object.assign(globalThis, ofPage)
  return () => {
    for (const name of Object.keys(ofPage)) Reflect.deleteProperty(globalThis, name)
    Object.assign(globalThis, { fetch })
  }
}
