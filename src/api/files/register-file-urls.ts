import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { ItemExports } from '#src/api/export/item-exports.ts'
import { fileHeaders } from '#src/api/files/file-headers.ts'
import { endWithSession, sendFile } from '#src/api/files/send-file.ts'
import { takeBytes, withUploadedBody } from '#src/api/files/uploaded-body.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import type { Query } from '#src/api/http/parse-query.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { hashToken } from '#src/auth/session.ts'
import { SERVICE } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'
import type { ExportInput } from '#src/operations/export/export-schemas.ts'
import {
  findOpenUrl,
  type OpenUrl,
  reopenFileUrl,
  useUploadUrl,
} from '#src/operations/files/file-url-steps.ts'
import { openFile } from '#src/operations/files/open-file.ts'
import { storeFile } from '#src/operations/files/store-file.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { checkCaller } from '#src/runtime/may-call.ts'

const UPLOAD = {
  access: 'user',
  effect: 'write',
  needs: 'own',
  rest: 'POST /api/files',
  for_proposers: 'as_ever',
  in_part: true,
} as const
const DOWNLOAD = { access: 'user', effect: 'read', rest: 'GET /api/files/{file_id}', in_part: true } as const

const EXPORT = { access: 'user', effect: 'read', rest: 'POST /api/items/export', in_part: true } as const
const UNSEEN = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** URLs that send or fetch one file, or an export, without a session, as who asked for them (further §14, §15). */
export function registerFileUrls(app: FastifyInstance, parts: ServerParts, exports: ItemExports): void {
  const { runtime } = parts
  const download: RouteHandlerMethod = async (request, reply) => {
    const { caller, file_id, asked } = await find(runtime, hashOf(request), 'download')
    if (asked !== null) {
      checkCaller(EXPORT, caller)
      void reply.headers({ ...UNSEEN, 'x-content-type-options': 'nosniff' })
      return exports.send(request, reply, { caller, input: JSON.parse(asked) as ExportInput })
    }
    checkCaller(DOWNLOAD, caller)
    const file = await openFile(runtime, caller, file_id)
    endWithSession(runtime.services.sessions, caller, reply)
    return sendFile(request, reply, file, {
      ...fileHeaders(file, { attachment: true }),
      ...UNSEEN,
    })
  }
  registerRoutes(app, parts, describedRoutes.fileUrls, {
    'GET /api/file-urls': { handler: download, exposeHeadRoute: false },
  })
  registerRoutes(app, parts, unlistedRoutes.fileUrlHeads, { 'HEAD /api/file-urls': download })
  void app.register(async (scope) => {
    takeBytes(scope)
    registerRoutes(scope, parts, describedRoutes.uploadUrls, {
      'PUT /api/file-urls': { handler: uploadTo(runtime), config: { isStreamed: true } },
    })
  })
}

/** The URL takes another body where this one could not be stored. */
const uploadTo =
  (runtime: Runtime): RouteHandlerMethod =>
  async (request, reply) => {
    const token_hash = hashOf(request)
    const { caller, file_id, name } = await takeUpload(runtime, token_hash)
    try {
      checkCaller(UPLOAD, caller)
      const stored = await withUploadedBody(request, (content, length) =>
        storeFile(runtime, caller, { name, content, length, file_id }),
      )
      return await reply.type('application/json; charset=utf-8').send(JSON.stringify(stored))
    } catch (error) {
      await runOperation(runtime, reopenFileUrl, SERVICE, { token_hash })
      throw error
    }
  }

async function find(runtime: Runtime, token_hash: string, purpose: 'upload' | 'download'): Promise<OpenUrl> {
  const { json } = await runOperation(runtime, findOpenUrl, SERVICE, { token_hash, purpose })
  return JSON.parse(json) as OpenUrl
}

/** Of those who ask only one who has a URL costs a write. */
async function takeUpload(runtime: Runtime, token_hash: string): Promise<OpenUrl> {
  await find(runtime, token_hash, 'upload')
  const { json } = await runOperation(runtime, useUploadUrl, SERVICE, { token_hash })
  return JSON.parse(json) as OpenUrl
}

function hashOf({ query }: FastifyRequest): string {
  const { token } = query as Query
  if (typeof token !== 'string' || token.length > 100) throw notFound('URL', '…')
  return hashToken(token)
}
