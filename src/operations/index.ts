import { deleteApp } from '#src/operations/account/app/delete-app.ts'
import { createRecoveryCodes } from '#src/operations/account/totp/create-recovery-codes.ts'
import { confirm } from '#src/operations/account/session/confirm.ts'
import { changeEmail } from '#src/operations/account/profile/change-email.ts'
import { deleteMe } from '#src/operations/account/profile/delete-me.ts'
import { updateUser } from '#src/operations/account/users/update-user.ts'
import { deleteUser } from '#src/operations/account/users/delete-user.ts'
import { createResetLink } from '#src/operations/account/reset/create-reset-link.ts'
import { setPasswordByLink } from '#src/operations/account/reset/set-password-by-link.ts'
import { deletePasskey } from '#src/operations/account/passkey/delete-passkey.ts'
import { createInvitation } from '#src/operations/account/invitation/create-invitation.ts'
import { deleteSession } from '#src/operations/account/session/delete-session.ts'
import { deleteOtherSessions } from '#src/operations/account/session/delete-other-sessions.ts'
import { beginPasskeyLogin } from '#src/operations/account/passkey/begin-passkey-login.ts'
import { beginPasskeyRegistration } from '#src/operations/account/passkey/begin-passkey-registration.ts'
import { beginProviderLogin } from '#src/operations/account/provider/begin-provider-login.ts'
import { changePassword } from '#src/operations/account/password/change-password.ts'
import { completePasskeyLogin } from '#src/operations/account/passkey/complete-passkey-login.ts'
import { completePasskeyRegistration } from '#src/operations/account/passkey/complete-passkey-registration.ts'
import { completeProviderLogin } from '#src/operations/account/provider/complete-provider-login.ts'
import { confirmTotp } from '#src/operations/account/totp/confirm-totp.ts'
import { createKey } from '#src/operations/account/key/create-key.ts'
import { deleteKey } from '#src/operations/account/key/delete-key.ts'
import { disableTotp } from '#src/operations/account/totp/disable-totp.ts'
import { login } from '#src/operations/account/password/login.ts'
import { logout } from '#src/operations/account/session/logout.ts'
import { register } from '#src/operations/account/password/register.ts'
import { setupTotp } from '#src/operations/account/totp/setup-totp.ts'
import { unlinkProvider } from '#src/operations/account/provider/unlink-provider.ts'
import { verifyTotp } from '#src/operations/account/totp/verify-totp.ts'
import { backUpNow } from '#src/operations/service/back-up-now.ts'
import { getBackups } from '#src/operations/service/get-backups.ts'
import { getService } from '#src/operations/service/get-service.ts'
import { createImport } from '#src/operations/imports/create-import.ts'
import { mapImport } from '#src/operations/imports/map-import.ts'
import { runImport } from '#src/operations/imports/run-import.ts'
import { undoImport } from '#src/operations/imports/undo-import.ts'
import { getFile } from '#src/operations/files/get-file.ts'
import { prepareExport } from '#src/operations/export/prepare-export.ts'
import { prepareUpload } from '#src/operations/files/prepare-upload.ts'
import { batch } from '#src/operations/changes/batch.ts'
import { useTemplate } from '#src/operations/templates/use-template.ts'
import { undoChanges } from '#src/operations/changes/undo-changes.ts'
import { acceptProposal } from '#src/operations/proposals/accept-proposal.ts'
import { proposeChanges } from '#src/operations/proposals/propose-changes.ts'
import { refuseProposal } from '#src/operations/proposals/refuse-proposal.ts'
import { withdrawProposal } from '#src/operations/proposals/withdraw-proposal.ts'
import { renderReact } from '#src/operations/components/render-react.ts'
import { createWebhook } from '#src/operations/webhooks/create-webhook.ts'
import { updateWebhook } from '#src/operations/webhooks/update-webhook.ts'
import { testWebhook } from '#src/operations/webhooks/test-webhook.ts'
import { retryDelivery } from '#src/operations/webhooks/retry-delivery.ts'
import type { Operation } from '#src/runtime/operation.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...sqlOperations,
  batch,
  createImport,
  mapImport,
  runImport,
  undoImport,
  useTemplate,
  acceptProposal,
  proposeChanges,
  refuseProposal,
  withdrawProposal,
  deleteApp,
  beginPasskeyLogin,
  beginPasskeyRegistration,
  beginProviderLogin,
  changePassword,
  completePasskeyLogin,
  completePasskeyRegistration,
  completeProviderLogin,
  confirmTotp,
  updateUser,
  deleteUser,
  createResetLink,
  setPasswordByLink,
  createInvitation,
  deletePasskey,
  deleteSession,
  deleteOtherSessions,
  createRecoveryCodes,
  confirm,
  changeEmail,
  deleteMe,
  createKey,
  deleteKey,
  disableTotp,
  getService,
  getBackups,
  backUpNow,
  prepareUpload,
  getFile,
  prepareExport,
  login,
  logout,
  register,
  renderReact,
  setupTotp,
  undoChanges,
  unlinkProvider,
  verifyTotp,
  createWebhook,
  updateWebhook,
  testWebhook,
  retryDelivery,
]
