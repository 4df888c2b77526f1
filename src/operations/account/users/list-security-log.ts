import { Type } from 'typebox'
import { logPage, PageOfLog, SecurityEvent } from '#src/operations/account/users/log-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const listSecurityLog = defineOperation({
  name: 'listSecurityLog',
  summary: 'What happened to all accounts, newest first. Kept for SECURITY_LOG_DAYS.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/security-log',
  paged: true,
  input: PageOfLog,
  output: Type.Array(SecurityEvent),
  run: ({ db }, page) => logPage(db, null, page),
})
