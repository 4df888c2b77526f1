import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import * as knowledgeBase from '#src/storage/migrations/0001-knowledge-base.ts'
import * as secondFactors from '#src/storage/migrations/0002-second-factors.ts'
import * as viewsAndChats from '#src/storage/migrations/0003-views-and-chats.ts'
import * as moving from '#src/storage/migrations/0004-moving.ts'
import * as rolesAndKeys from '#src/storage/migrations/0005-roles-and-keys.ts'
import * as changes from '#src/storage/migrations/0006-changes.ts'
import * as searchText from '#src/storage/migrations/0007-search-text.ts'

import * as apps from '#src/storage/migrations/0010-apps.ts'
import * as idempotency from '#src/storage/migrations/0011-idempotency.ts'
import * as sharedViews from '#src/storage/migrations/0015-shared-views.ts'
import * as auditChain from '#src/storage/migrations/0016-audit-chain.ts'
import * as chatParts from '#src/storage/migrations/0017-chat-parts.ts'
import * as webhooks from '#src/storage/migrations/0018-webhooks.ts'
import * as auditDrafts from '#src/storage/migrations/0020-audit-drafts.ts'
import * as counting from '#src/storage/migrations/0023-counting.ts'
import * as trashOrder from '#src/storage/migrations/0024-trash-order.ts'
import * as leavingItems from '#src/storage/migrations/0025-leaving-items.ts'
import * as boundedFolding from '#src/storage/migrations/0029-bounded-folding.ts'
import * as sealedLog from '#src/storage/migrations/0030-sealed-log.ts'
import * as endedRights from '#src/storage/migrations/0031-ended-rights.ts'
import * as wordIndex from '#src/storage/migrations/0032-word-index.ts'
import * as resetLinks from '#src/storage/migrations/0033-reset-links.ts'
import * as roleProviders from '#src/storage/migrations/0034-role-providers.ts'
import * as backupState from '#src/storage/migrations/0035-backup-state.ts'
import * as files from '#src/storage/migrations/0036-files.ts'
import * as imports from '#src/storage/migrations/0037-imports.ts'
import * as proposals from '#src/storage/migrations/0038-proposals.ts'
import * as limits from '#src/storage/migrations/0039-limits.ts'
import * as watches from '#src/storage/migrations/0040-watches.ts'
import * as tagLooks from '#src/storage/migrations/0042-tag-looks.ts'
import * as viewFilters from '#src/storage/migrations/0044-view-filters.ts'
import * as exportUrls from '#src/storage/migrations/0046-export-urls.ts'
import * as securityChain from '#src/storage/migrations/0051-security-chain.ts'
import * as waitingTexts from '#src/storage/migrations/0052-waiting-texts.ts'
import * as securityLogEnds from '#src/storage/migrations/0053-security-log-ends.ts'
import * as longAnswers from '#src/storage/migrations/0054-long-answers.ts'
import * as unseenCharacters from '#src/storage/migrations/0055-unseen-characters.ts'
import * as priceOfTexts from '#src/storage/migrations/0056-price-of-texts.ts'

export interface Migration {
  up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void>
}

/** Every migration by its name, oldest first. A released one is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-knowledge-base': knowledgeBase,
  '0002-second-factors': secondFactors,
  '0003-views-and-chats': viewsAndChats,
  '0004-moving': moving,
  '0005-roles-and-keys': rolesAndKeys,
  '0006-changes': changes,
  '0007-search-text': searchText,
  '0010-apps': apps,
  '0011-idempotency': idempotency,
  '0015-shared-views': sharedViews,
  '0016-audit-chain': auditChain,
  '0017-chat-parts': chatParts,
  '0018-webhooks': webhooks,
  '0020-audit-drafts': auditDrafts,
  '0023-counting': counting,
  '0024-trash-order': trashOrder,
  '0025-leaving-items': leavingItems,
  '0029-bounded-folding': boundedFolding,
  '0030-sealed-log': sealedLog,
  '0031-ended-rights': endedRights,
  '0032-word-index': wordIndex,
  '0033-reset-links': resetLinks,
  '0034-role-providers': roleProviders,
  '0035-backup-state': backupState,
  '0036-files': files,
  '0037-imports': imports,
  '0038-proposals': proposals,
  '0039-limits': limits,
  '0040-watches': watches,
  '0042-tag-looks': tagLooks,
  '0044-view-filters': viewFilters,
  '0046-export-urls': exportUrls,
  '0051-security-chain': securityChain,
  '0052-waiting-texts': waitingTexts,
  '0053-security-log-ends': securityLogEnds,
  '0054-long-answers': longAnswers,
  '0055-unseen-characters': unseenCharacters,
  '0056-price-of-texts': priceOfTexts,
}
