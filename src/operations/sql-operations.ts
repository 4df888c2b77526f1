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
  createChat,
  deleteChat,
  finishTurn,
  getChat,
  listChats,
  listMessages,
  searchAuditLog,
  startTurn,
  updateChat,
]
