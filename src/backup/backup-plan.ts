import { Cron } from 'croner'
import type { Config } from '#src/config/config.ts'

/** The times of BACKUP_AT, in the time zone of the service; it is asked for them and runs nothing. */
export const backupPlan = ({ backup, time_zone }: Pick<Config, 'backup' | 'time_zone'>): Cron =>
  new Cron(backup.at, { paused: true, mode: '5-part', timezone: time_zone })
