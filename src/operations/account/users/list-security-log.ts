import { Type } from 'typebox'
import { logPage, SecurityEvent } from '#src/operations/account/users/log-schemas.ts'
import { PageById } from '#src/operations/page-by-id.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const listSecurityLog = defineOperation({
  name: 'listSecurityLog',
  summary: 'What happened to all accounts, newest first. Kept for SECURITY_LOG_DAYS.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/security-log',
  paged: true,
  input: PageById,
  output: Type.Array(SecurityEvent),
  run: (context, page) => logPage(context, null, page),
})
