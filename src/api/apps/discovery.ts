import type { KoaContextWithOIDC } from 'oidc-provider'
import { mcpResource } from '#src/operations/account/app/open-app.ts'
import { SCOPES } from '#src/domain/caller.ts'
import type { Config } from '#src/config/config.ts'

/** RFC 9728: where to ask for access to the MCP server. */
export const resourceMetadata = (config: Config) => ({
  resource: mcpResource(config),
  authorization_servers: [config.public_url],
  scopes_supported: [...SCOPES],
  bearer_methods_supported: ['header'],
  resource_name: 'Facet',
  resource_documentation: `${config.public_url}/docs/how-to/connect-an-agent.md`,
})

/** Where that document stands for the MCP server. */
export const resourceMetadataUrl = ({ public_url }: Config): string =>
  `${public_url}/.well-known/oauth-protected-resource/api/mcp`

/** Of RFC 8414, what applies: there is nothing of OpenID Connect here. */
const PUBLISHED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
]

/** Leaves out of the authorization server's description of itself what is not offered. */
export async function publicDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.path !== '/.well-known/oauth-authorization-server' || typeof ctx.body !== 'object') return
  const whole = ctx.body as Record<string, unknown>
  const told = Object.fromEntries(
    PUBLISHED.filter((name) => name in whole).map((name) => [name, whole[name]]),
  )
  ctx.body = {
    ...told,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: [...SCOPES, 'offline_access'],
    response_modes_supported: ['query'],
    revocation_endpoint_auth_methods_supported: ['none'],
    service_documentation: `${String(whole.issuer)}/docs/reference/authentication.md`,
  }
}
