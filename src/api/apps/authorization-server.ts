import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { providerStore } from '#src/api/apps/provider-store.ts'
import { type Library, type Look, providerConfiguration } from '#src/api/apps/provider-configuration.ts'
import { publicDiscovery } from '#src/api/apps/discovery.ts'
import type { Runtime } from '#src/runtime/call.ts'

export interface AuthorizationServer {
  provider: Provider
  /** Answers a request; `address` is the client's. */
  serve(request: IncomingMessage, response: ServerResponse, address: string): Promise<void>
}

/** The authorization server of our MCP server (additions §3): oidc-provider over our database, behind our sessions (decision 67). */
export async function makeAuthorizationServer(
  runtime: Runtime,
  look: Look,
  onError: (error: unknown) => void,
): Promise<AuthorizationServer> {
  const library = (await import('oidc-provider')) as unknown as Library
  const { config } = runtime.services
  const served = new AsyncLocalStorage<string>()
  const address = () => served.getStore() ?? ''
  const store = providerStore({ runtime, address, InvalidGrant: library.errors.InvalidGrant })
  const provider = new library.Provider(config.public_url, {
    adapter: store,
    ...providerConfiguration(runtime, library, look, address),
  })
  // What it calls itself in its answers is PUBLIC_URL, whatever leads there.
  provider.proxy = true
  const { host, protocol } = new URL(config.public_url)
  provider.use(publicDiscovery)
  provider.on('server_error', (_, error) => onError(error))
  const handle = provider.callback()
  return {
    provider,
    serve(request, response, from) {
      Object.assign(request.headers, {
        'x-forwarded-host': host,
        'x-forwarded-proto': protocol.slice(0, -1),
      })
      return served.run(from, () => handle(request, response))
    },
  }
}
