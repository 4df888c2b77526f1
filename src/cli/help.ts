import { type Command, OPTIONS, type OptionName, PROGRAM } from '#src/cli/command.ts'
import { COMMANDS } from '#src/cli/commands.ts'
import { USER_COMMANDS } from '#src/cli/user-commands.ts'

const WIDTH = 26

const row = (left: string, right: string) => `  ${left.padEnd(WIDTH)} ${right}`
const optionRow = (name: OptionName) => {
  const { takes, does } = OPTIONS[name]
  return row(`--${name}${takes && ` ${takes}`}`, does)
}
const userRows = () =>
  Object.entries(USER_COMMANDS).map(([name, { takes, does }]) => row(`user ${name} ${takes}`.trimEnd(), does))

/** All commands. */
export const helpOfAll = (): string => `Usage: ${PROGRAM} COMMAND [--json]

${Object.entries(COMMANDS)
  .map(([name, { does }]) => row(name, does))
  .join('\n')}

${userRows().join('\n')}

Examples:
  ${PROGRAM} user create ada@example.org --role owner
  ${PROGRAM} backup /backups/monday.db
  ${PROGRAM} doctor

\`${PROGRAM} help COMMAND\` says what a command takes, with examples.
The commands work on the database that DATABASE_URL (or .env) names; all but import and restore while the service runs or is stopped.
They end with 0, with 1 where they failed, and with 2 where they were typed wrongly.
In a checkout, \`npm run -s facet\` keeps npm's own lines out of what a program reads.
`

/** One command. */
export function helpOf(name: string, { uses, does, more, options, examples }: Command): string {
  const usage = uses.map((use, i) => `${i ? '      ' : 'Usage:'} ${PROGRAM} ${name} ${use}`.trimEnd())
  const parts = [
    usage.join('\n'),
    does.charAt(0).toUpperCase() + does.slice(1) + '.',
    more,
    name === 'user' ? userRows().join('\n') : undefined,
    options.length ? options.map(optionRow).join('\n') : undefined,
    `Examples:\n${examples.map((each) => `  ${PROGRAM} ${each}`).join('\n')}`,
  ]
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`
}
