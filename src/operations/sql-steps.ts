import { findHint } from '#src/operations/filters/steps/find-hint.ts'
import { addApp } from '#src/operations/account/app/steps/add-app.ts'
import { removeApp } from '#src/operations/account/app/steps/remove-app.ts'
import { endApp } from '#src/operations/account/app/steps/end-app.ts'
import { findAppByToken } from '#src/operations/account/app/steps/find-app-by-token.ts'
import { touchApp } from '#src/operations/account/app/steps/touch-app.ts'
import { keepAppRecord } from '#src/operations/account/app/steps/keep-app-record.ts'
import { findAppRecord } from '#src/operations/account/app/steps/find-app-record.ts'
import { useAppRecord } from '#src/operations/account/app/steps/use-app-record.ts'
import { dropAppRecord } from '#src/operations/account/app/steps/drop-app-record.ts'
import { keepConsent } from '#src/operations/account/app/steps/keep-consent.ts'
import { findConsent } from '#src/operations/account/app/steps/find-consent.ts'
import { addAppClient } from '#src/operations/account/app/steps/add-app-client.ts'
import { findAppClient } from '#src/operations/account/app/steps/find-app-client.ts'
import { checkRegistrations } from '#src/operations/account/app/steps/check-registrations.ts'
import { keepRecoveryCodes } from '#src/operations/account/recovery/steps/keep-recovery-codes.ts'
import { renewProof } from '#src/operations/account/confirm/steps/renew-proof.ts'
import { replaceEmail } from '#src/operations/account/email/steps/replace-email.ts'
import { removeOwnAccount } from '#src/operations/account/deletion/steps/remove-own-account.ts'
import { storeDiscovery } from '#src/operations/account/passkey/steps/store-discovery.ts'
import { recordSignInFailed } from '#src/operations/account/log/steps/record-sign-in-failed.ts'
import { changeUser } from '#src/operations/account/users/steps/change-user.ts'
import { removeUser } from '#src/operations/account/users/steps/remove-user.ts'
import { addInvitation } from '#src/operations/account/invitation/steps/add-invitation.ts'
import { endOwnSession } from '#src/operations/account/session/steps/end-own-session.ts'
import { endOtherSessions } from '#src/operations/account/session/steps/end-other-sessions.ts'
import { sweepSecurityLog } from '#src/operations/account/log/steps/sweep-security-log.ts'
import { touchSession } from '#src/operations/account/session/steps/touch-session.ts'
import { findSession } from '#src/operations/account/session/steps/find-session.ts'
import { addKey } from '#src/operations/account/key/steps/add-key.ts'
import { baseIsNew } from '#src/operations/account/invitation/steps/base-is-new.ts'
import { findEndedTokens } from '#src/operations/account/session/steps/find-ended-tokens.ts'
import { checkAdmission } from '#src/operations/account/invitation/steps/check-admission.ts'
import { countRegistration } from '#src/operations/account/password/steps/count-registration.ts'
import { findKey } from '#src/operations/account/key/steps/find-key.ts'
import { findProofs } from '#src/operations/account/confirm/steps/find-proofs.ts'
import { makeSetupToken } from '#src/operations/account/invitation/steps/make-setup-token.ts'
import { removeKey } from '#src/operations/account/key/steps/remove-key.ts'
import { touchKey } from '#src/operations/account/key/steps/touch-key.ts'
import { readNewEvents } from '#src/operations/changes/steps/read-new-events.ts'
import { readUndoPlan } from '#src/operations/changes/steps/read-undo-plan.ts'
import { runBatch } from '#src/operations/changes/steps/run-batch.ts'
import { writeUndo } from '#src/operations/changes/steps/write-undo.ts'
import { finishTurn } from '#src/operations/chats/steps/finish-turn.ts'
import { startTurn } from '#src/operations/chats/steps/start-turn.ts'
import { enterDraftedEvents } from '#src/operations/audit/steps/enter-drafted-events.ts'
import { checkReadable } from '#src/operations/service/steps/check-readable.ts'
import { checkWritable } from '#src/operations/service/steps/check-writable.ts'
import { readColumns } from '#src/operations/service/steps/read-columns.ts'
import { findRepeated } from '#src/operations/service/steps/find-repeated.ts'
import { keepFailure } from '#src/operations/service/steps/keep-failure.ts'
import { findUnfolded } from '#src/operations/service/steps/find-unfolded.ts'
import { foldTexts } from '#src/operations/service/steps/fold-texts.ts'
import { findNewestId } from '#src/operations/service/steps/find-newest-id.ts'
import { refuseHalfImported } from '#src/operations/service/steps/refuse-half-imported.ts'
import { addWebhook } from '#src/operations/webhooks/steps/add-webhook.ts'
import { changeWebhook } from '#src/operations/webhooks/steps/change-webhook.ts'
import { addTest } from '#src/operations/webhooks/steps/add-test.ts'
import { dueNow } from '#src/operations/webhooks/steps/due-now.ts'
import { findDeliveryToSend } from '#src/operations/webhooks/steps/find-delivery-to-send.ts'
import { recordAttempt } from '#src/operations/webhooks/steps/record-attempt.ts'
import { disableWebhook } from '#src/operations/webhooks/steps/disable-webhook.ts'
import { findWebhookWork } from '#src/operations/webhooks/steps/find-webhook-work.ts'
import { findNewDeliveries } from '#src/operations/webhooks/steps/find-new-deliveries.ts'
import { queueDeliveries } from '#src/operations/webhooks/steps/queue-deliveries.ts'
import { findLease } from '#src/operations/webhooks/steps/find-lease.ts'
import { takeLease } from '#src/operations/webhooks/steps/take-lease.ts'
import { dropLease } from '#src/operations/webhooks/steps/drop-lease.ts'
import { sweepDeliveries } from '#src/operations/webhooks/steps/sweep-deliveries.ts'
import { findWebhookFigures } from '#src/operations/webhooks/steps/find-webhook-figures.ts'
import { activateTotp } from '#src/operations/account/totp/steps/activate-totp.ts'
import { addPasskey } from '#src/operations/account/passkey/steps/add-passkey.ts'
import { beginAssertion } from '#src/operations/account/passkey/steps/begin-assertion.ts'
import { beginLogin } from '#src/operations/account/password/steps/begin-login.ts'
import { createAccount } from '#src/operations/account/password/steps/create-account.ts'
import { endAllSessions } from '#src/operations/account/operator/steps/end-all-sessions.ts'
import { endSession } from '#src/operations/account/session/steps/end-session.ts'
import { findCredentials } from '#src/operations/account/password/steps/find-credentials.ts'
import { findOwnPasskeys } from '#src/operations/account/passkey/steps/find-own-passkeys.ts'
import { findOwnTotp } from '#src/operations/account/totp/steps/find-own-totp.ts'
import { findPassword } from '#src/operations/account/password/steps/find-password.ts'
import { finishAssertion } from '#src/operations/account/passkey/steps/finish-assertion.ts'
import { finishLogin } from '#src/operations/account/password/steps/finish-login.ts'
import { recordFailure } from '#src/operations/account/password/steps/record-failure.ts'
import { removeIdentity } from '#src/operations/account/provider/steps/remove-identity.ts'
import { removeSecondFactor } from '#src/operations/account/operator/steps/remove-second-factor.ts'
import { removeTotp } from '#src/operations/account/totp/steps/remove-totp.ts'
import { replacePassword } from '#src/operations/account/password/steps/replace-password.ts'
import { resetPassword } from '#src/operations/account/operator/steps/reset-password.ts'
import { savePendingTotp } from '#src/operations/account/totp/steps/save-pending-totp.ts'
import { signInByIdentity } from '#src/operations/account/provider/steps/sign-in-by-identity.ts'
import { storeOauthFlow } from '#src/operations/account/provider/steps/store-oauth-flow.ts'
import { storeRegistration } from '#src/operations/account/passkey/steps/store-registration.ts'
import { sweepExpired } from '#src/operations/account/session/steps/sweep-expired.ts'
import { takeAssertion } from '#src/operations/account/passkey/steps/take-assertion.ts'
import { takeOauthFlow } from '#src/operations/account/provider/steps/take-oauth-flow.ts'
import { takeRegistration } from '#src/operations/account/passkey/steps/take-registration.ts'
import { clearIndexes } from '#src/operations/service/steps/clear-indexes.ts'
import { findLeaving } from '#src/operations/service/steps/find-leaving.ts'
import type { Step } from '#src/operations/operation.ts'

/** What operations call and interfaces never do: a worker thread loads it beside the operations. */
export const sqlSteps: readonly Step[] = [
  clearIndexes,
  findLeaving,
  addApp,
  removeApp,
  endApp,
  findAppByToken,
  touchApp,
  keepAppRecord,
  findAppRecord,
  useAppRecord,
  dropAppRecord,
  keepConsent,
  findConsent,
  addAppClient,
  findAppClient,
  checkRegistrations,
  keepRecoveryCodes,
  renewProof,
  replaceEmail,
  removeOwnAccount,
  storeDiscovery,
  recordSignInFailed,
  changeUser,
  removeUser,
  addInvitation,
  endOwnSession,
  endOtherSessions,
  sweepSecurityLog,
  touchSession,
  findSession,
  addKey,
  baseIsNew,
  checkAdmission,
  countRegistration,
  findEndedTokens,
  findHint,
  findKey,
  findProofs,
  makeSetupToken,
  removeKey,
  touchKey,
  checkReadable,
  checkWritable,
  readColumns,
  enterDraftedEvents,
  findUnfolded,
  foldTexts,
  findRepeated,
  keepFailure,
  findNewestId,
  finishTurn,
  readNewEvents,
  readUndoPlan,
  refuseHalfImported,
  runBatch,
  startTurn,
  writeUndo,
  addWebhook,
  changeWebhook,
  addTest,
  dueNow,
  findDeliveryToSend,
  recordAttempt,
  disableWebhook,
  findWebhookWork,
  findNewDeliveries,
  queueDeliveries,
  findLease,
  takeLease,
  dropLease,
  sweepDeliveries,
  findWebhookFigures,
  activateTotp,
  addPasskey,
  beginAssertion,
  beginLogin,
  createAccount,
  endAllSessions,
  endSession,
  findCredentials,
  findOwnPasskeys,
  findOwnTotp,
  findPassword,
  finishAssertion,
  finishLogin,
  recordFailure,
  removeIdentity,
  removeSecondFactor,
  removeTotp,
  replacePassword,
  resetPassword,
  savePendingTotp,
  signInByIdentity,
  storeOauthFlow,
  storeRegistration,
  sweepExpired,
  takeAssertion,
  takeOauthFlow,
  takeRegistration,
]
