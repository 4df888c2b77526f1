import { deleteImport } from '#src/operations/imports/delete-import.ts'
import { getImport } from '#src/operations/imports/get-import.ts'
import { listImports } from '#src/operations/imports/list-imports.ts'
import { stopImport } from '#src/operations/imports/stop-import.ts'
import { listApps } from '#src/operations/account/app/list-apps.ts'
import { countRecoveryCodes } from '#src/operations/account/totp/count-recovery-codes.ts'
import { getPreferences } from '#src/operations/account/profile/get-preferences.ts'
import { putPreferences } from '#src/operations/account/profile/put-preferences.ts'
import { listUsers } from '#src/operations/account/users/list-users.ts'
import { listActivity } from '#src/operations/account/profile/list-activity.ts'
import { listSecurityLog } from '#src/operations/account/users/list-security-log.ts'
import { listInvitations } from '#src/operations/account/invitation/list-invitations.ts'
import { deleteInvitation } from '#src/operations/account/invitation/delete-invitation.ts'
import { listSessions } from '#src/operations/account/session/list-sessions.ts'
import { getMe } from '#src/operations/account/profile/get-me.ts'
import { listKeys } from '#src/operations/account/key/list-keys.ts'
import { listPasskeys } from '#src/operations/account/passkey/list-passkeys.ts'
import { updateProfile } from '#src/operations/account/profile/update-profile.ts'
import { getAuditHead } from '#src/operations/audit/get-audit-head.ts'
import { searchAuditLog } from '#src/operations/audit/search-audit-log.ts'
import { searchChanges } from '#src/operations/changes/search-changes.ts'
import { createChat } from '#src/operations/chats/create-chat.ts'
import { deleteChat } from '#src/operations/chats/delete-chat.ts'
import { getChat } from '#src/operations/chats/get-chat.ts'
import { listChats } from '#src/operations/chats/list-chats.ts'
import { listMessages } from '#src/operations/chats/list-messages.ts'
import { updateChat } from '#src/operations/chats/update-chat.ts'
import { explainQuery } from '#src/operations/filters/explain-query.ts'
import { filterDefaults } from '#src/operations/filters/filter-defaults.ts'
import { validateFilter } from '#src/operations/filters/validate-filter.ts'
import { aggregateItems } from '#src/operations/items/aggregate-items.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { bulkApplyTag } from '#src/operations/items/bulk-apply-tag.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkRemoveTag } from '#src/operations/items/bulk-remove-tag.ts'
import { bulkRestore } from '#src/operations/items/bulk-restore.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { getBacklinks } from '#src/operations/items/get-backlinks.ts'
import { getItemHistory } from '#src/operations/items/get-item-history.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { listDeletedItems } from '#src/operations/items/list-deleted-items.ts'
import { listDeleted } from '#src/operations/items/list-deleted.ts'
import { listItems } from '#src/operations/items/list-items.ts'
import { listOutdatedItems } from '#src/operations/items/list-outdated-items.ts'
import { mergeItems } from '#src/operations/items/merge/merge-items.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { restore } from '#src/operations/items/restore.ts'
import { searchDeletedItems } from '#src/operations/items/search-deleted-items.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { upsertItem } from '#src/operations/items/upsert-item.ts'
import { upsertItems } from '#src/operations/items/upsert-items.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import type { SqlOperation } from '#src/runtime/operation.ts'
import { selectable } from '#src/operations/select-properties.ts'
import { getProposal } from '#src/operations/proposals/get-proposal.ts'
import { listProposals } from '#src/operations/proposals/list-proposals.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { getTag } from '#src/operations/tags/get-tag.ts'
import { listDeletedTags } from '#src/operations/tags/list-deleted-tags.ts'
import { listTags } from '#src/operations/tags/list-tags.ts'
import { migrateTagValues } from '#src/operations/tags/migrate-tag-values.ts'
import { previewTagUpdate } from '#src/operations/tags/preview-tag-update.ts'
import { restoreTag } from '#src/operations/tags/restore-tag.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { getTemplate } from '#src/operations/templates/get-template.ts'
import { createView } from '#src/operations/views/create-view.ts'
import { deleteView } from '#src/operations/views/delete-view.ts'
import { getView } from '#src/operations/views/get-view.ts'
import { listViews } from '#src/operations/views/list-views.ts'
import { watchView } from '#src/operations/views/watch-view.ts'
import { listNotifications } from '#src/operations/notifications/list-notifications.ts'
import { readNotifications } from '#src/operations/notifications/read-notifications.ts'
import { updateView } from '#src/operations/views/update-view.ts'
import { deleteWebhook } from '#src/operations/webhooks/delete-webhook.ts'
import { getWebhook } from '#src/operations/webhooks/get-webhook.ts'
import { listDeliveries } from '#src/operations/webhooks/list-deliveries.ts'
import { listWebhooks } from '#src/operations/webhooks/list-webhooks.ts'

const all: readonly SqlOperation[] = [
  deleteImport,
  getImport,
  listImports,
  stopImport,
  listApps,
  countRecoveryCodes,
  getPreferences,
  putPreferences,
  listUsers,
  listActivity,
  listSecurityLog,
  listInvitations,
  deleteInvitation,
  listSessions,
  aggregateItems,
  applyTag,
  bulkApplyTag,
  bulkCreate,
  bulkDelete,
  bulkRemoveTag,
  bulkRestore,
  bulkUpdateFields,
  createChat,
  createItem,
  createTag,
  createView,
  deleteChat,
  deleteItem,
  deleteTag,
  deleteView,
  explainQuery,
  filterDefaults,
  getBacklinks,
  getChat,
  getItem,
  getItemHistory,
  getMe,
  getProposal,
  getTag,
  getTemplate,
  getView,
  listChats,
  listDeleted,
  listDeletedItems,
  listDeletedTags,
  listItems,
  listKeys,
  listMessages,
  listOutdatedItems,
  listPasskeys,
  listProposals,
  listTags,
  listViews,
  mergeItems,
  migrateTagValues,
  previewTagUpdate,
  purgeDeleted,
  removeTag,
  restore,
  restoreItem,
  restoreTag,
  searchAuditLog,
  getAuditHead,
  searchChanges,
  searchDeletedItems,
  searchItems,
  searchTags,
  updateChat,
  updateItem,
  updateProfile,
  updateTag,
  updateTagValues,
  updateView,
  watchView,
  listNotifications,
  readNotifications,
  upsertItem,
  upsertItems,
  validateFilter,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
]

/** The operations that are SQL alone: all that a worker thread of the engine loads. */
export const sqlOperations: readonly SqlOperation[] = all.map(selectable)
