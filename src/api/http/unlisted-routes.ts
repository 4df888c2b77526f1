import type { RouteRow } from '#src/api/http/register-routes.ts'

const OPEN = { access: 'none' } as const
/** Other sites send their people here, and people send forms. */
const PAGE = { access: 'none', effect: 'write' } as const

/**
 * Routes that OpenAPI leaves out: files and pages for people, and what a standard describes already (OAuth 2.1, RFC 8414,
 * RFC 9728, the text format of Prometheus).
 */
export const unlistedRoutes = {
  documents: { 'GET /docs': OPEN, 'GET /docs/*': OPEN },
  explorerFiles: {
    'GET /api/swagger-ui/start.js': OPEN,
    'GET /api/swagger-ui/swagger-ui-bundle.js': OPEN,
    'GET /api/swagger-ui/swagger-ui.css': OPEN,
    'GET /api/swagger-ui/favicon-32x32.png': OPEN,
  },
  web: {
    'GET /': OPEN,
    'GET /assets/*': OPEN,
    'GET /frame': OPEN,
    'GET /frame/*': OPEN,
    'GET /manifest.webmanifest': OPEN,
    'GET /icon.svg': OPEN,
    'GET /icon-180.png': OPEN,
    'GET /icon-192.png': OPEN,
    'GET /offline': OPEN,
    'GET /offline.js': OPEN,
  },
  /** What GET says of a file, without its bytes. */
  fileHeads: { 'HEAD /api/files/{file_id}': { access: 'user', effect: 'read', in_part: true } },
  fileUrlHeads: { 'HEAD /api/file-urls': OPEN },
  metrics: { 'GET /metrics': { access: 'user', needs: 'owner', effect: 'read' } },
  appMetadata: {
    'GET /.well-known/oauth-protected-resource': OPEN,
    'GET /.well-known/oauth-protected-resource/api/mcp': OPEN,
  },
  appServer: {
    'GET /.well-known/oauth-authorization-server': OPEN,
    'OPTIONS /.well-known/oauth-authorization-server': OPEN,
    'POST /oauth/token': OPEN,
    'OPTIONS /oauth/token': OPEN,
    'POST /oauth/revoke': OPEN,
    'OPTIONS /oauth/revoke': OPEN,
    'POST /oauth/register': OPEN,
    'OPTIONS /oauth/register': OPEN,
    'GET /oauth/authorize': OPEN,
    'GET /oauth/authorize/{uid}': OPEN,
  },
  consent: {
    'GET /authorize/{uid}': PAGE,
    'POST /authorize/{uid}': PAGE,
    'POST /authorize/{uid}/other-account': PAGE,
  },
} satisfies Record<string, Record<string, RouteRow>>
