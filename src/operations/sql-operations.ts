import { beginLogin } from '#src/operations/account/begin-login.ts'
import { createAccount } from '#src/operations/account/create-account.ts'
import { endSession } from '#src/operations/account/end-session.ts'
import { endSessions } from '#src/operations/account/end-sessions.ts'
import { findCredentials } from '#src/operations/account/find-credentials.ts'
import { findPassword } from '#src/operations/account/find-password.ts'
import { findSession } from '#src/operations/account/find-session.ts'
import { getMe } from '#src/operations/account/get-me.ts'
import { recordFailure } from '#src/operations/account/record-failure.ts'
import { replacePassword } from '#src/operations/account/replace-password.ts'
import { touchSession } from '#src/operations/account/touch-session.ts'
import { updateProfile } from '#src/operations/account/update-profile.ts'
import { searchAuditLog } from '#src/operations/audit/search-audit-log.ts'
import { createChat } from '#src/operations/chats/create-chat.ts'
import { deleteChat } from '#src/operations/chats/delete-chat.ts'
import { finishTurn } from '#src/operations/chats/finish-turn.ts'
import { getChat } from '#src/operations/chats/get-chat.ts'
import { listChats } from '#src/operations/chats/list-chats.ts'
import { listMessages } from '#src/operations/chats/list-messages.ts'
import { startTurn } from '#src/operations/chats/start-turn.ts'
import { updateChat } from '#src/operations/chats/update-chat.ts'
import type { SqlOperation } from '#src/operations/operation.ts'

/** The operations that are SQL alone: all that a worker thread of the engine loads. */
export const sqlOperations: readonly SqlOperation[] = [
  beginLogin,
  createAccount,
  createChat,
  deleteChat,
  endSession,
  endSessions,
  findCredentials,
  findPassword,
  findSession,
  finishTurn,
  getChat,
  getMe,
  listChats,
  listMessages,
  recordFailure,
  replacePassword,
  searchAuditLog,
  startTurn,
  touchSession,
  updateChat,
  updateProfile,
]
