import { type Command, refuseSurplus, withStore } from '#src/cli/command.ts'
import { loadConfig } from '#src/config/read-config.ts'
import { VERSION } from '#src/domain/version.ts'

const ACCOUNTS = `WHO is an e-mail address or a user id.`
const TEXT_OF_CHECKED = 'with --check it changes nothing'

/** Every command, in the order of the help. A new one is a row here, with its options in `command.ts`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    uses: [''],
    does: 'serve the base until it is stopped',
    more: 'Settings come from the environment and from .env: docs/reference/configuration.md.',
    options: [],
    examples: ['start'],
    async run(words) {
      refuseSurplus('start', words)
      await import('#src/main.ts')
      return undefined
    },
  },
  user: {
    uses: ['COMMAND [WHO]'],
    does: 'accounts: list, create, role, disable, delete, passwords, sessions',
    more: ACCOUNTS,
    options: ['json', 'password-stdin', 'role', 'before', 'everything'],
    examples: [
      'user list',
      'user create ada@example.org --role owner',
      'user reset-password ada@example.org',
    ],
    async run(words, options) {
      const { readUserCommand, USER_OPERATIONS } = await import('#src/cli/user-commands.ts')
      return withStore(loadConfig(), USER_OPERATIONS, readUserCommand(words, options))
    },
  },
  key: {
    uses: ['create --user WHO --scope read|propose|write --name NAME [--limit JSON]'],
    does: 'print a new key, for a program that nobody signs in to',
    options: ['json', 'user', 'scope', 'name', 'expires-in-days', 'limit'],
    examples: [
      'key create --user ada@example.org --scope read --name "nightly report"',
      `key create --user ada@example.org --scope write --name invoices --limit '{"tag_ids": ["Invoice"]}'`,
    ],
    async run(words, options) {
      const { KEY_STEPS, readKeyCommand } = await import('#src/cli/key-commands.ts')
      return withStore(loadConfig(), KEY_STEPS, readKeyCommand(words, options))
    },
  },
  app: {
    uses: ['create --name NAME --redirect-uri URI'],
    does: 'print the client id of an app that cannot register itself',
    options: ['json', 'name', 'redirect-uri'],
    examples: ['app create --name Reports --redirect-uri https://reports.example.org/callback'],
    async run(words, options) {
      const { APP_STEPS, readAppCommand } = await import('#src/cli/app-commands.ts')
      return withStore(loadConfig(), APP_STEPS, readAppCommand(words, options))
    },
  },
  export: {
    uses: ['[--accounts] [--out FILE]'],
    does: 'the whole base as JSON lines, to standard output or a file',
    options: ['json', 'accounts', 'out'],
    examples: ['export --out base.jsonl', 'export --accounts --out everything.jsonl'],
    async run(words, options) {
      const { exportBase } = await import('#src/cli/transfer-commands.ts')
      return exportBase(loadConfig(), words, options)
    },
  },
  'export-items': {
    uses: [
      '[--filter JSON | --view ID] [--format csv|jsonl|markdown] [--fields LIST] [--sort LIST] [--as-of TIME] [--out FILE]',
    ],
    does: 'items as a table, as JSON Lines, or as a zip of Markdown',
    more: 'Without a filter and a view all items. Programs and spreadsheets read it; `export` is for whole bases.',
    options: ['json', 'filter', 'view', 'format', 'fields', 'sort', 'as-of', 'out'],
    examples: [
      `export-items --filter '{"has_tag": "Task"}' --out tasks.csv`,
      'export-items --format jsonl --fields name,Task.due',
      'export-items --out notes.zip',
    ],
    async run(words, options) {
      const { EXPORT_STEPS, readExportCommand } = await import('#src/cli/export-items-command.ts')
      const config = loadConfig()
      return withStore(config, EXPORT_STEPS, await readExportCommand(words, options, config))
    },
  },
  import: {
    uses: ['FILE'],
    does: 'an export into a new database; the service is stopped meanwhile',
    options: ['json'],
    examples: ['import base.jsonl'],
    async run(words, options) {
      const { importBase } = await import('#src/cli/transfer-commands.ts')
      return importBase(loadConfig(), words, options)
    },
  },
  'import-items': {
    uses: [
      'PATH [--tag NAME] [--key COLUMN] [--format csv|xlsx|json|markdown|notion] [--header-row N] [--dry-run]',
    ],
    does: 'rows of a spreadsheet or list as items',
    more: 'Where a row has a fault nothing is written. It works while the service runs or is stopped.',
    options: ['json', 'tag', 'key', 'format', 'header-row', 'dry-run'],
    examples: ['import-items people.csv --tag Person --key Email', 'import-items list.xlsx --dry-run'],
    async run(words, options) {
      const { IMPORT_STEPS, readImportCommand } = await import('#src/cli/import-items-command.ts')
      const config = loadConfig()
      return withStore(config, IMPORT_STEPS, readImportCommand(words, options, config))
    },
  },
  backup: {
    uses: ['[FILE]'],
    does: 'a copy of the base, in BACKUP_TO or a file',
    options: ['json'],
    examples: ['backup', 'backup /backups/monday.db'],
    async run(words, options) {
      const { runBackupCommand } = await import('#src/cli/backup-commands.ts')
      return runBackupCommand(['backup', ...words], loadConfig(), options)
    },
  },
  restore: {
    uses: ['COPY [--check]'],
    does: `a copy into an empty base; ${TEXT_OF_CHECKED}`,
    options: ['json', 'check'],
    examples: [
      'restore /backups/monday.db --check',
      'restore /backups/monday.db',
      'restore s3://bucket/copies/NAME',
    ],
    async run(words, options) {
      const { runBackupCommand } = await import('#src/cli/backup-commands.ts')
      return runBackupCommand(['restore', ...words], loadConfig(), options)
    },
  },
  template: {
    uses: ['save FILE', 'use FILE [--user WHO]'],
    does: 'tags, views and sample items as a file, and such a file into a base',
    more: "Views become shared ones of WHO, without it of the base's owner. What is there already by name is refused, and nothing is made.",
    options: ['json', 'user'],
    examples: ['template save mine.json', 'template use mine.json --user ada@example.org'],
    async run(words, options) {
      const { readTemplateCommand, TEMPLATE_OPERATIONS } = await import('#src/cli/template-commands.ts')
      return withStore(loadConfig(), TEMPLATE_OPERATIONS, await readTemplateCommand(words, options))
    },
  },
  files: {
    uses: ['verify', 'sweep --unused-for DAYS', 'sweep --take-over'],
    does: 'whether all files are there and whole; remove those that only the log refers to',
    more: 'verify ends with 1 where a file is missing or damaged.',
    options: ['json', 'unused-for', 'take-over'],
    examples: ['files verify', 'files sweep --unused-for 90d'],
    async run(words, options) {
      const { runFilesCommand } = await import('#src/cli/files-commands.ts')
      return runFilesCommand(loadConfig(), words, options)
    },
  },
  audit: {
    uses: ['verify [--head HASH]', 'redact --item ID'],
    does: 'whether the log is as it was written; erase what it says of an item',
    options: ['json', 'head', 'item'],
    examples: ['audit verify', 'audit redact --item 01JJXZ5T7GQ3M8K4B9R2C6D0EF'],
    async run(words, options) {
      const { runAuditCommand } = await import('#src/cli/audit-commands.ts')
      return runAuditCommand(words, loadConfig(), options)
    },
  },
  types: {
    uses: ['[--check FILE]'],
    does: "TypeScript types of the base's tags",
    more: 'With --check it says whether the file is what would be printed, and ends with 1 where it is stale.',
    options: ['json', 'check'],
    examples: ['types > tags.ts', 'types --check tags.ts'],
    async run(words, options) {
      const { readTypesCommand, TYPES_OPERATIONS } = await import('#src/cli/types-command.ts')
      return withStore(loadConfig(), TYPES_OPERATIONS, readTypesCommand(words, options))
    },
  },
  doctor: {
    uses: [''],
    does: 'what is wrong with this setup, and what to do',
    more: 'It changes nothing, and ends with 1 where something keeps people out or puts data at risk.',
    options: ['json'],
    examples: ['doctor', 'doctor --json'],
    async run(words, options) {
      refuseSurplus('doctor', words)
      const { runDoctor } = await import('#src/cli/doctor.ts')
      return runDoctor(options)
    },
  },
  version: {
    uses: [''],
    does: 'the version of Facet',
    options: ['json'],
    examples: ['version'],
    async run(words, { json }) {
      refuseSurplus('version', words)
      return json ? JSON.stringify({ version: VERSION, node: process.versions.node }, null, 2) : VERSION
    },
  },
}
