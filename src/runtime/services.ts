import type { IdentityProviders } from '#src/auth/identity-provider.ts'
import type { Passwords } from '#src/auth/password.ts'
import type { SecretBox } from '#src/auth/secret-box.ts'
import type { RateLimit } from '#src/auth/rate-limit.ts'
import type { SessionWatch } from '#src/auth/session-watch.ts'
import type { ServiceMetrics } from '#src/metrics/service-metrics.ts'
import type { ChangeWatch } from '#src/engine/change-watch.ts'
import type { FileStore } from '#src/files/file-store.ts'
import type { UploadRoom } from '#src/files/upload-room.ts'
import type { Config } from '#src/config/config.ts'

/** What operations on the main thread may use besides other operations. Made in `app.ts`. */
export interface Services {
  config: Config
  passwords: Passwords
  providers: IdentityProviders
  sessions: SessionWatch
  changes: ChangeWatch
  /** Notifies anyone who delivers that there is something else to do than new events. */
  webhooks: ChangeWatch
  /** Notifies the one that runs imports. */
  imports: ChangeWatch
  /** Notifies anyone who shows how many notifications are unread, and the one that looks for them. */
  notifications: ChangeWatch
  metrics: ServiceMetrics
  rate_limit: RateLimit
  /** What TOTP secrets and those of webhooks are sealed and opened with. */
  secrets: SecretBox
  backups: BackupService
  /** The bytes of files. */
  files: FileStore
  /** Hears of bytes that no file needs and that the store did not remove: the sweep takes them. */
  onBytesLeft(this: void, error: unknown, blob: string): void
  /** What is being uploaded. */
  uploads: UploadRoom
}

/** Copies of the base, as operations see them. */
export interface BackupService {
  readonly isRunning: boolean
  nextAt(): Date | null
  /** False: one is being made. */
  begin(): boolean
}
