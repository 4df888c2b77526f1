import { randomBytes } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import { isEmail, trimEmail } from '#src/auth/email.ts'
import { MAX_PASSWORD, MIN_PASSWORD, Passwords } from '#src/auth/password.ts'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { type OptionName, refuseOptions } from '#src/cli/command.ts'
import type { Store } from '#src/cli/open-store.ts'
import { loadConfig } from '#src/config/read-config.ts'
import { OPERATOR, type Role, ROLES } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { comparedTime, parseIsoTime } from '#src/domain/iso-time.ts'
import { counted } from '#src/domain/message-words.ts'
import { nearest } from '#src/domain/nearest.ts'
import {
  endAllSessions,
  giveViews,
  listAccountsPage,
  makeAccount,
  removeSecondFactor,
  resetPassword,
} from '#src/operations/account/users/operator-steps.ts'
import { changeUser, removeUser } from '#src/operations/account/users/user-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'

export interface UserOptions {
  json?: boolean | undefined
  'password-stdin'?: boolean | undefined
  before?: string | undefined
  everything?: boolean | undefined
  role?: string | undefined
}

/** What a command answers: data for programs, words for people. */
interface Answer {
  data: unknown
  words: string
}

interface UserCommand {
  /** `WHO`, `WHO ROLE`, `E-MAIL`, or nothing. */
  takes: string
  /** Of those of `user`, but for --json. */
  options?: readonly OptionName[]
  does: string
  run(store: Store, who: string, options: UserOptions, second: string): Promise<Answer>
}

/** What the commands run on the database. */
export const USER_OPERATIONS = [
  changeUser,
  endAllSessions,
  giveViews,
  listAccountsPage,
  makeAccount,
  removeSecondFactor,
  removeUser,
  resetPassword,
]

export const USER_COMMANDS: Readonly<Record<string, UserCommand>> = {
  list: {
    takes: '',
    does: 'all accounts with their ways to sign in',
    run: (store) => listAll(store),
  },
  create: {
    takes: 'E-MAIL',
    options: ['role', 'password-stdin'],
    does: 'make an account; --role, or the first one is the owner',
    async run(store, who, options) {
      const role = options.role === undefined ? null : roleNamed(options.role)
      const email = trimEmail(who)
      if (!isEmail(email)) throw badRequest(`'${who}' is no e-mail address`)
      const { default_role, passwords } = loadConfig()
      // Where passwords are off, a provider of the address lets them in.
      const { password_hash, made } = passwords
        ? await givenPassword(options)
        : { password_hash: null, made: {} }
      const user = await store.call(makeAccount, { email, password_hash, role, default_role })
      const shown = made.password ? `, password ${made.password}` : ''
      return { data: { ...user, ...made }, words: `${user.email} is made, ${user.role}${shown}` }
    },
  },
  role: {
    takes: 'WHO ROLE',
    does: 'make the account owner, editor or reader',
    async run(store, who, _, role) {
      const { user } = await store.call(changeUser, { who, role: roleNamed(role), ways: ways() })
      return { data: user, words: `${user.email} is ${user.role} now` }
    },
  },
  disable: {
    takes: 'WHO',
    does: 'keep the account out; its sessions and keys end for good',
    async run(store, who) {
      const { user } = await store.call(changeUser, { who, disabled: true, ways: ways() })
      return { data: user, words: `${user.email} is disabled` }
    },
  },
  enable: {
    takes: 'WHO',
    does: 'let the account in again',
    async run(store, who) {
      const { user } = await store.call(changeUser, { who, disabled: false, ways: ways() })
      return { data: user, words: `${user.email} can sign in again` }
    },
  },
  delete: {
    takes: 'WHO',
    does: 'delete a disabled account with what is its own',
    async run(store, who) {
      const { user } = await store.call(removeUser, { who })
      return { data: user, words: `${user.email} is deleted` }
    },
  },
  'reset-password': {
    takes: 'WHO',
    options: ['password-stdin'],
    does: 'set a new password, end the sessions, lift refusals after failures',
    async run(store, who, options) {
      refusePasswords(loadConfig())
      const { password_hash, made } = await givenPassword(options)
      const done = await store.call(resetPassword, { who, password_hash })
      const shown = made.password ? `: ${made.password}` : ''
      return { data: { ...done, ...made }, words: `New password of ${done.email}${shown}${sessions(done)}` }
    },
  },
  'remove-totp': {
    takes: 'WHO',
    does: 'take the second factor away, end the sessions',
    async run(store, who) {
      const done = await store.call(removeSecondFactor, { who, factor: 'totp', ways: ways() })
      const what = done.removed ? 'TOTP removed from' : 'There was no TOTP on'
      return { data: done, words: `${what} ${done.email}${sessions(done)}` }
    },
  },
  'remove-passkeys': {
    takes: 'WHO',
    does: 'take all passkeys away, end the sessions',
    async run(store, who) {
      const done = await store.call(removeSecondFactor, { who, factor: 'passkeys', ways: ways() })
      const what = `${counted(done.removed, 'passkey')} removed from`
      return { data: done, words: `${what} ${done.email}${sessions(done)}` }
    },
  },
  unlink: {
    takes: 'WHO',
    does: 'unlink all providers, end the sessions',
    async run(store, who) {
      const done = await store.call(removeSecondFactor, { who, factor: 'providers', ways: ways() })
      const what = `${counted(done.removed, 'provider')} unlinked from`
      return { data: done, words: `${what} ${done.email}${sessions(done)}` }
    },
  },
  'give-views': {
    takes: 'WHO',
    does: 'give the account the views that an import kept for its address',
    async run(store, who) {
      const done = await store.call(giveViews, { who })
      return { data: done, words: `${counted(done.given_views, 'view')} given to ${done.email}` }
    },
  },
  'end-sessions': {
    takes: 'WHO',
    options: ['before', 'everything'],
    does: 'sign the account out everywhere; --everything: and end all else that was made with it',
    async run(store, who, { before, everything = false }) {
      if (before !== undefined && everything)
        throw badRequest('--everything has no beginning: give it without --before')
      const created_before = before === undefined ? undefined : timestamp(before)
      const done = await store.call(endAllSessions, {
        who,
        everything,
        ...(created_before !== undefined && { created_before }),
      })
      if (everything) return { data: done, words: `All that let anybody in as ${done.email} has ended` }
      return { data: done, words: `${counted(done.ended_sessions, 'session')} of ${done.email} ended` }
    },
  },
}

/** What the words after `user` ask for; it is done when it is given the database. @throws BadRequest */
export function readUserCommand(
  [name = '', ...given]: readonly string[],
  options: UserOptions,
): (store: Store) => Promise<string> {
  const command = Object.hasOwn(USER_COMMANDS, name) ? USER_COMMANDS[name] : undefined
  if (!command) {
    const close = nearest(name, Object.keys(USER_COMMANDS))
    throw badRequest(name ? `Unknown command 'user ${name}'` : 'user needs a command', {
      suggestion: close
        ? `Did you mean 'user ${close}'?`
        : `One of: ${Object.keys(USER_COMMANDS).join(', ')}`,
    })
  }
  refuseOptions(`user ${name}`, ['json', ...(command.options ?? [])], options)
  const takes = command.takes.split(' ').filter(Boolean)
  const [who = '', second = ''] = given
  if (takes.length && !given.length)
    throw badRequest(`user ${name} needs an e-mail address${takes[0] === 'WHO' ? ' or a user id' : ''}`)
  if (given.length < takes.length) throw badRequest(`user ${name} needs a role: ${ROLES.join(', ')}`)
  if (given.length > takes.length) throw badRequest(`user ${name} does not take '${given[takes.length]}'`)
  return async (store) => {
    const { data, words } = await command.run(store, who, options, second)
    return options.json ? JSON.stringify(data, null, 2) : words
  }
}

async function listAll(store: Store): Promise<Answer> {
  const listPage = (after: string) => store.call(listAccountsPage, { after })
  const users: Awaited<ReturnType<typeof listPage>> = []
  for (let page = await listPage(''); page.length; page = await listPage(page.at(-1)!.user_id))
    users.push(...page)
  const rows = users.map((user) => [
    user.user_id,
    user.email,
    user.display_name ?? '',
    user.disabled ? `${user.role}, disabled` : user.role,
    waysIn(user),
    String(user.sessions),
    user.created_at.slice(0, 10),
  ])
  return {
    data: users,
    words: table(['user_id', 'e-mail', 'name', 'role', 'signs in by', 'sessions', 'since'], rows),
  }
}

function waysIn(user: {
  has_password: boolean
  has_totp: boolean
  has_passkey: boolean
  oauth_providers: string[]
}): string {
  const password = user.has_password && (user.has_totp ? 'password+totp' : 'password')
  return [password, user.has_passkey && 'passkey', ...user.oauth_providers].filter(Boolean).join(', ')
}

function roleNamed(text: string): Role {
  const role = ROLES.find((each) => each === text)
  if (!role) throw badRequest(`'${text}' is no role`, { suggestion: `One of: ${ROLES.join(', ')}` })
  return role
}

const ways = () => waysInOf(loadConfig())

/** The one that comes by standard input, or a new one, which is shown. */
async function givenPassword(
  options: UserOptions,
): Promise<{ password_hash: string; made: { password?: string } }> {
  const given = options['password-stdin'] ? await readPassword() : undefined
  const password = given ?? newPassword()
  const password_hash = await new Passwords().inTurn(OPERATOR, ({ hash }) => hash(password))
  return { password_hash, made: given === undefined ? { password } : {} }
}

/** 120 random bits. */
const newPassword = () => randomBytes(15).toString('base64url')

async function readPassword(): Promise<string> {
  const password = (await readAll(process.stdin)).replace(/\r?\n$/, '')
  const length = Array.from(password).length
  if (length < MIN_PASSWORD || length > MAX_PASSWORD)
    throw badRequest(`A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
  return password
}

function timestamp(text: string): string {
  const time = parseIsoTime(text)
  if (!time) throw badRequest(`'${text}' is no time`, { suggestion: 'Give it like 2026-01-31T09:30:00Z' })
  return comparedTime(time.ceil)
}

const sessions = ({ ended_sessions }: { ended_sessions: number }) =>
  ended_sessions ? `; ${counted(ended_sessions, 'session')} ended` : ''

/** Columns as wide as their widest cell; the last one is not padded. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((line) => line.map(printable))
  const widths = head.map((_, i) => Math.max(...lines.map((line) => width(line[i]!))))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell + ' '.repeat(widths[i]! - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names are anybody's text: none of it steers the terminal. */
const printable = (cell: string) => cell.replaceAll(/\p{C}/gu, '\ufffd')

const width = (cell: string) => Array.from(cell).length
