import {
  checkMapping,
  dropFailedImport,
  findOwnImport,
  requestCheck,
  requestLook,
  requestRun,
  requestUndo,
  sweepImports,
} from '#src/operations/imports/import-requests.ts'
import { findFaultySource, readFaultyRows } from '#src/operations/imports/faulty-rows.ts'
import { findImportJob, findWaitingImports } from '#src/operations/imports/import-steps.ts'
import { checkMayStore } from '#src/operations/imports/run-steps.ts'
import { IMPORT_JOB_STEPS } from '#src/operations/imports/job-steps.ts'
import { beginLive, findFollowedViews, lookAtFilters } from '#src/operations/live/live-steps.ts'
import {
  findRings,
  readUnread,
  sweepNotifications,
  tellRings,
} from '#src/operations/notifications/notification-steps.ts'
import { findBackupState, findBaseId, recordBackup } from '#src/operations/service/backup-steps.ts'
import {
  addAppClient,
  checkRegistrations,
  checkWaiting,
  dropAppRecord,
  findAppClient,
  findAppRecord,
  findConsent,
  isClientLetIn,
  keepAppRecord,
  keepConsent,
  useAppRecord,
} from '#src/operations/account/app/app-record-steps.ts'
import { addApp, endApp, findAppByToken, removeApp, touchApp } from '#src/operations/account/app/app-steps.ts'
import {
  addInvitation,
  baseIsNew,
  checkAdmission,
  makeSetupToken,
} from '#src/operations/account/invitation/invitation-steps.ts'
import { addKey, findKey, removeKey, touchKey } from '#src/operations/account/key/key-steps.ts'
import {
  addPasskey,
  beginAssertion,
  findOwnPasskeys,
  finishAssertion,
  removeOwnPasskey,
  storeDiscovery,
  storeRegistration,
  takeAssertion,
  takeRegistration,
} from '#src/operations/account/passkey/passkey-steps.ts'
import {
  beginLogin,
  findCredentials,
  finishLogin,
  recordFailure,
} from '#src/operations/account/password/login-steps.ts'
import {
  countRegistration,
  createAccount,
  findPassword,
  replacePassword,
} from '#src/operations/account/password/password-steps.ts'
import { removeOwnAccount, replaceEmail } from '#src/operations/account/profile/profile-steps.ts'
import {
  removeIdentity,
  signInByIdentity,
  storeOauthFlow,
  takeOauthFlow,
} from '#src/operations/account/provider/provider-steps.ts'
import {
  endOtherSessions,
  endOwnSession,
  endSession,
  findEndedTokens,
  findSession,
  recordSignInFailed,
  renewProof,
  sweepExpired,
  sweepSecurityLog,
  touchSession,
} from '#src/operations/account/session/session-steps.ts'
import {
  activateTotp,
  findOwnTotp,
  keepRecoveryCodes,
  removeTotp,
  savePendingTotp,
  takeCode,
} from '#src/operations/account/totp/totp-steps.ts'
import {
  endAllSessions,
  removeSecondFactor,
  resetPassword,
} from '#src/operations/account/users/operator-steps.ts'
import { addResetLink, checkResetLink, takeResetLink } from '#src/operations/account/reset/reset-steps.ts'
import {
  changeUser,
  findRole,
  ownerHasPasskey,
  removeUser,
} from '#src/operations/account/users/user-steps.ts'
import {
  enterDraftedEvents,
  findAuditHeads,
  findChangedTags,
  findNewestSeen,
  readNewEvents,
} from '#src/operations/audit/audit-steps.ts'
import { draftProposal } from '#src/operations/proposals/draft-proposal.ts'
import {
  decideProposal,
  keepProposal,
  readAcceptance,
  showProposal,
  writeAcceptance,
} from '#src/operations/proposals/proposal-steps.ts'
import { sweepProposals } from '#src/operations/proposals/sweep-proposals.ts'
import { runBatch } from '#src/operations/changes/run-batch.ts'
import { fillTemplate } from '#src/operations/templates/template-steps.ts'
import { readUndoPlan, writeUndo } from '#src/operations/changes/undo-steps.ts'
import { exportNames, exportPage, exportTags, planExport } from '#src/operations/export/export-steps.ts'
import { finishTurn, startTurn } from '#src/operations/chats/turn-steps.ts'
import {
  findReadableFile,
  findSweepable,
  findUnknownBlobs,
  findUnusedBytes,
  forgetBlobs,
  keepFile,
  sweepFiles,
} from '#src/operations/files/file-steps.ts'
import { hasFileContents, knowsStoreMark, turnStoreMark } from '#src/operations/files/store-mark-steps.ts'
import { addFileUrl, findOpenUrl, reopenFileUrl, useUploadUrl } from '#src/operations/files/file-url-steps.ts'
import { findHint } from '#src/operations/filters/find-hint.ts'
import { findNearest } from '#src/operations/filters/find-nearest.ts'
import {
  checkReadable,
  checkWritable,
  endWriteCheck,
  findNewestId,
  refuseHalfImported,
} from '#src/operations/service/service-steps.ts'
import {
  clearIndexes,
  clearWordIndex,
  findLeaving,
  findUnfolded,
  findWordWork,
  foldTexts,
  readColumns,
  enterWords,
  finishWords,
  planEntering,
  enterTexts,
  findRoomForTexts,
  findWaitingTexts,
  makeIndex,
  returnToIndexes,
} from '#src/operations/service/upkeep-steps.ts'
import { isUnsharing } from '#src/operations/views/view-steps.ts'
import {
  findDeliveryToSend,
  recordAttempt,
  sweepDeliveries,
} from '#src/operations/webhooks/delivery-steps.ts'
import {
  dropLease,
  dueNow,
  findLease,
  findNewDeliveries,
  findWebhookFigures,
  findWebhookWork,
  queueDeliveries,
  takeLease,
} from '#src/operations/webhooks/queue-steps.ts'
import { addTest, addWebhook, changeWebhook, disableWebhook } from '#src/operations/webhooks/webhook-steps.ts'
import { findProofs } from '#src/runtime/fresh-proof.ts'
import { findRepeated, forgetKept, keepAnew, keepFailure } from '#src/runtime/stored-failures.ts'
import type { Step } from '#src/runtime/operation.ts'

/**
 * What operations call and interfaces never do, by topic: a worker thread loads it alongside the operations.
 */
export const sqlSteps: readonly Step[] = [
  // app-record-steps
  addAppClient,
  checkRegistrations,
  checkWaiting,
  dropAppRecord,
  findAppClient,
  findAppRecord,
  findConsent,
  isClientLetIn,
  keepAppRecord,
  keepConsent,
  useAppRecord,
  // app-steps
  addApp,
  endApp,
  findAppByToken,
  removeApp,
  touchApp,
  // invitation-steps
  addInvitation,
  baseIsNew,
  checkAdmission,
  makeSetupToken,
  // key-steps
  addKey,
  findKey,
  removeKey,
  touchKey,
  // passkey-steps
  addPasskey,
  beginAssertion,
  findOwnPasskeys,
  finishAssertion,
  removeOwnPasskey,
  storeDiscovery,
  storeRegistration,
  takeAssertion,
  takeRegistration,
  // login-steps
  beginLogin,
  findCredentials,
  finishLogin,
  recordFailure,
  // password-steps
  countRegistration,
  createAccount,
  findPassword,
  replacePassword,
  // profile-steps
  removeOwnAccount,
  replaceEmail,
  // provider-steps
  removeIdentity,
  signInByIdentity,
  storeOauthFlow,
  takeOauthFlow,
  // session-steps
  endOtherSessions,
  endOwnSession,
  endSession,
  findEndedTokens,
  findSession,
  recordSignInFailed,
  renewProof,
  sweepExpired,
  sweepSecurityLog,
  touchSession,
  // totp-steps
  activateTotp,
  findOwnTotp,
  keepRecoveryCodes,
  removeTotp,
  savePendingTotp,
  takeCode,
  // operator-steps
  endAllSessions,
  removeSecondFactor,
  resetPassword,
  // reset-steps
  addResetLink,
  checkResetLink,
  takeResetLink,
  // user-steps
  changeUser,
  findRole,
  ownerHasPasskey,
  removeUser,
  // audit-steps
  enterDraftedEvents,
  findAuditHeads,
  findChangedTags,
  findNewestSeen,
  // read-new-events
  readFaultyRows,
  readNewEvents,
  // template-steps
  fillTemplate,
  // run-batch
  runBatch,
  // undo-steps
  readUndoPlan,
  writeUndo,
  // export-steps
  exportNames,
  exportPage,
  exportTags,
  planExport,
  // turn-steps
  finishTurn,
  startTurn,
  // file-steps
  findReadableFile,
  findSweepable,
  findUnknownBlobs,
  findUnusedBytes,
  forgetBlobs,
  keepFile,
  sweepFiles,
  // store-mark-steps
  hasFileContents,
  knowsStoreMark,
  turnStoreMark,
  // file-url-steps
  addFileUrl,
  findOpenUrl,
  reopenFileUrl,
  useUploadUrl,
  // find-hint
  findHint,
  findNearest,
  // service-steps
  checkReadable,
  checkWritable,
  endWriteCheck,
  findNewestId,
  refuseHalfImported,
  // upkeep-steps
  clearWordIndex,
  findWordWork,
  planEntering,
  enterWords,
  finishWords,
  enterTexts,
  findRoomForTexts,
  findWaitingTexts,
  clearIndexes,
  makeIndex,
  returnToIndexes,
  findLeaving,
  findUnfolded,
  foldTexts,
  readColumns,
  // backup-steps
  findBackupState,
  findBaseId,
  recordBackup,
  // live-steps
  beginLive,
  findFollowedViews,
  lookAtFilters,
  // notifications
  findRings,
  readUnread,
  sweepNotifications,
  tellRings,
  // delivery-steps
  findDeliveryToSend,
  recordAttempt,
  sweepDeliveries,
  // queue-steps
  dropLease,
  dueNow,
  findLease,
  findNewDeliveries,
  findWebhookFigures,
  findWebhookWork,
  queueDeliveries,
  takeLease,
  // webhook-steps
  addTest,
  addWebhook,
  changeWebhook,
  disableWebhook,
  // import-requests
  checkMapping,
  dropFailedImport,
  findOwnImport,
  requestCheck,
  requestLook,
  requestRun,
  requestUndo,
  sweepImports,
  // import-steps
  findFaultySource,
  findImportJob,
  findWaitingImports,
  // run-steps
  checkMayStore,
  // job-steps
  ...IMPORT_JOB_STEPS,
  // proposals
  draftProposal,
  decideProposal,
  keepProposal,
  readAcceptance,
  sweepProposals,
  showProposal,
  writeAcceptance,
  // views
  isUnsharing,
  // fresh-proof
  findProofs,
  // stored-failures
  findRepeated,
  forgetKept,
  keepAnew,
  keepFailure,
]
