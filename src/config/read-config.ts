import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { parseEnv } from 'node:util'
import {
  type Config,
  type DatabaseConfig,
  DEFAULT_MODELS,
  type FilesConfig,
  type IdentityProviderConfig,
  LLM_PROVIDERS,
  type LlmConfig,
  LOG_LEVELS,
  type S3Service,
} from '#src/config/config.ts'
import type { Role } from '#src/domain/caller.ts'
import { missingForS3, s3Address, s3ConfigOf } from '#src/config/s3-place.ts'
import { readSecretFiles } from '#src/config/secret-files.ts'
import { nearest } from '#src/domain/nearest.ts'
import {
  anyText,
  atLeast,
  backupPlace,
  bytes,
  days,
  duration,
  fileSize,
  filesPlace,
  count,
  countOrNone,
  cron,
  database,
  flag,
  host,
  httpUrl,
  isLoopback,
  issuer,
  keepPlan,
  listOf,
  oneOf,
  origin,
  pem,
  type Place,
  port,
  postgres,
  proxies,
  registration as readRegistration,
  roles,
  secretKey,
  type Setting,
  timeZone,
} from '#src/config/setting.ts'

/** A variable's name → what it means, its default, how it is read. The documentation is made of this table. */
export const SETTINGS = {
  HOST: setting('127.0.0.1', 'Listening address. `0.0.0.0` or `::` for all.', host),
  PORT: setting('3000', 'Listening port; `0` takes a free one.', port),
  PUBLIC_URL: setting(
    null,
    'What the browser sees: passkeys, redirects of identity providers and the check of origins go by it. Without it `http://localhost:PORT`, with TLS_CERT `https://localhost:PORT`.',
    origin,
  ),
  TLS_CERT: setting(
    null,
    'PEM file of the certificate (chain): serve HTTPS directly. Goes with TLS_KEY.',
    readFile,
  ),
  TLS_KEY: setting(null, 'PEM file of the private key.', readFile),
  TRUST_PROXY: setting(
    'false',
    'Which proxies in front are believed what they say by `X-Forwarded-For`, `-Proto` and `-Host`. `true`: the one that connects. A number: this many, one behind the other. Addresses or networks, separated by commas (`10.0.0.2,fd00::/64`): these and no others. Only behind a proxy that sets them.',
    proxies,
  ),
  DATABASE_URL: setting(
    'file:./data/facet.db',
    '`file:` is embedded SQLite; `postgres://` is PostgreSQL, several hosts separated by commas: the first that accepts writes is used.',
    database,
    'secret',
  ),
  DATABASE_REPLICA_URLS: setting(
    null,
    'Read replicas of PostgreSQL, separated by commas.',
    listOf(postgres),
    'secret',
  ),
  DATABASE_LISTEN_URL: setting(
    null,
    'Where DATABASE_URL leads to a pooler in transaction mode, which does not carry LISTEN: the PostgreSQL server itself, for one connection of each process.',
    postgres,
    'secret',
  ),
  READ_CONNECTIONS: setting(
    null,
    'Connections of a process to PostgreSQL for searches, lists and plans of changes, to the primary and to each replica; without it 10, at least 3. Two tenths are for reads that are slow, two for planning changes of many items. For writes, LISTEN and a watch there are 6 besides.',
    atLeast(3),
  ),
  LOOKUP_CONNECTIONS: setting(
    null,
    'Connections of a process to PostgreSQL for what is looked up by key: sessions, keys, tokens, single items, messages between processes; without it 4. No search takes one of them.',
    count,
  ),
  ...providerSettings('IDP_A', 'GET (`response_mode=query`)'),
  ...providerSettings('IDP_B', 'POST (`response_mode=form_post`)'),
  IDP_B_PRIVATE_KEY: setting(
    null,
    "Instead of IDP_B_CLIENT_SECRET: Apple's key (PEM), of which the signed secret is made at run time.",
    pem,
    'secret',
  ),
  IDP_B_KEY_ID: setting(null, 'The id of that key.', anyText),
  IDP_B_TEAM_ID: setting(null, "Apple's team id.", anyText),
  PASSWORDS: setting(
    'on',
    '`off`: nobody registers, signs in, or sets or resets a password; people come in by a provider or a passkey, and use an invitation by signing in with a provider of its address. Needs a provider, or a passkey of an owner.',
    (text) => flag(text, 'on or off'),
  ),
  ACCOUNT_LINKING: setting(
    null,
    'What happens when a provider proves the e-mail of an existing account. `merge`: it is linked and keeps its password; `strict`: a password whose e-mail was never proven is dropped. Without it `strict` where strangers can register (REGISTRATION is `open` and PUBLIC_URL is not loopback), else `merge`.',
    oneOf(['merge', 'strict'] as const),
  ),
  REGISTRATION: setting(
    'open',
    'Who may make an account: `open` (anybody), `closed` (nobody), or `domain:example.org,example.net` (anyone who signs in with a provider that proves such an address; a password proves none).',
    readRegistration,
  ),
  DEFAULT_ROLE: setting(
    'editor',
    'What a new account may do: `editor` (everything but what owners do), or `reader`. The first account of a base is its owner; an invitation names its own role.',
    oneOf(['editor', 'reader'] as const),
  ),
  FRESH_PROOF: setting(
    'new',
    'What asks for a session that has proved itself within 10 minutes. `new`: making keys, allowing apps and what only owners change; `all`: also adding a passkey, linking a provider, switching TOTP on or off and setting a first password.',
    oneOf(['new', 'all'] as const),
  ),
  SECRET_KEY: setting(
    null,
    'What TOTP secrets and those of webhooks are encrypted with in the database: 32 random bytes in base64 or hex (`openssl rand -base64 32`), the same for all processes. Several, separated by commas: the first encrypts, the others still decrypt; what they encrypted is changed over at the start. Without it the key is in a file next to the database (`data/facet.key`; for PostgreSQL in that place too), which the first start makes.',
    listOf(secretKey),
    'secret',
  ),
  SECURITY_LOG_DAYS: setting('365', 'Days for which the security log is kept.', days),
  APP_FETCH_PRIVATE: setting(
    'false',
    'Fetch the metadata documents of apps from private and loopback addresses too. For tests and closed networks.',
    flag,
  ),
  WEBHOOK_PRIVATE: setting(
    'false',
    'Send webhooks to private and loopback addresses too, and to those also over http. For tests and closed networks.',
    flag,
  ),
  LLM_PROVIDER: setting(
    'openai',
    'The model behind the chat: `openai`, `anthropic`, or `openai-compatible` (a local Ollama, vLLM, llama.cpp …; no key needed).',
    oneOf(LLM_PROVIDERS),
  ),
  LLM_MODEL: setting(null, "The model's name; without it the provider's default.", anyText),
  LLM_API_KEY: setting(null, "The provider's key.", anyText, 'secret'),
  LLM_BASE_URL: setting(null, 'The address up to and with `/v1`. Needed for `openai-compatible`.', httpUrl),
  CORS_ORIGINS: setting(
    null,
    'Origins that may call the API from a browser, with credentials; separated by commas. They must be of the same site as PUBLIC_URL (other ports and subdomains are): to a page of another site the session cookie does not travel.',
    listOf(origin),
  ),
  QUERY_TIMEOUT: setting(
    '10s',
    'The longest that a read may take before it is ended with 503; a change of many items has 60 s, or this where it is longer.',
    duration,
  ),
  BODY_LIMIT: setting('32 MiB', 'Largest request body.', bytes),
  FILE_LIMIT: setting('100 MiB', 'Largest file that is uploaded.', fileSize),
  FILES: setting(
    null,
    'Where the bytes of files are: a folder, or `s3://bucket/prefix` of any service that speaks S3. No part of the prefix is `.` or `..`. Without it the folder `files` next to the database file; for PostgreSQL `./data/files`, which all processes must share then. A folder that is set and cannot be written ends the start. Where it is the one without a setting, or its file system is only read, the start warns, and uploads are answered with 503.',
    filesPlace,
  ),
  S3_ENDPOINT: setting(null, 'The address of that service; without it Amazon’s.', httpUrl),
  S3_REGION: setting('us-east-1', 'Its region.', anyText),
  S3_ACCESS_KEY_ID: setting(null, 'Who asks there. Goes with S3_SECRET_ACCESS_KEY.', anyText),
  S3_SECRET_ACCESS_KEY: setting(null, 'The secret of that key.', anyText, 'secret'),
  BACKUP_TO: setting(
    null,
    'Where the service keeps copies of the base: a folder, or `s3://bucket/prefix` (by the same S3_… settings as FILES). Of SQLite they are databases, of PostgreSQL exports. Without it none are made.',
    backupPlace,
  ),
  BACKUP_AT: setting(
    '0 3 * * *',
    'When a copy is made: minute, hour, day, month and weekday as cron writes them, by TIME_ZONE. One that was missed is made at the start.',
    cron,
  ),
  BACKUP_KEEP: setting(
    '7d,4w,12m',
    'Which copies stay: the newest of each of the last days, ISO weeks and months that have one, and always the newest of all.',
    keepPlan,
  ),
  MAX_CONNECTIONS: setting(
    '5000',
    'Connections that are open at once. For one more the one is closed that has been idle for longest, else it itself. Each may cost about 100 KB.',
    count,
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    null,
    'Connections of one address (IPv6: of its /64) among them; `0`: any number. Without it 256, where programs of the same machine are not counted. Those of TRUST_PROXY never are: everybody comes by them.',
    countOrNone,
  ),
  RATE_LIMIT: setting(
    '0',
    'Requests a minute of one account, one key and one app, each counted by itself in each process; more are answered with 429. `0`: any number.',
    countOrNone,
  ),
  METRICS_PORT: setting(
    null,
    'Serve `GET /metrics` on this port too, without a key; `0` takes a free one. Without it only on PORT, for owners and their keys.',
    port,
  ),
  METRICS_HOST: setting('127.0.0.1', 'The address of METRICS_PORT.', host),
  LOG_LEVEL: setting(
    'info',
    `Structured logs on standard error: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. Never a password, code, cookie, token or key in one.`,
    oneOf(LOG_LEVELS),
  ),
  TIME_ZONE: setting(
    'UTC',
    'Where it is today for requests that do not say (`time_zone`): an IANA name such as `Europe/Vienna`. Relative times of filters go by it.',
    timeZone,
  ),
}

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> | null }

/** The variables whose text is shown nowhere; each can be in a file. */
export const SECRETS: readonly string[] = Object.entries<Setting<unknown>>(SETTINGS)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

/** All that is wrong with the environment, one line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((each) => `  ${each}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment, with `.env` of the working directory under it. */
export function readEnvironment(file = '.env'): Environment {
  return { ...readDotEnv(file), ...process.env }
}

function readDotEnv(file: string): Environment {
  try {
    // Some editors begin a file with a mark, which would be the beginning of the first name.
    return parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError([`${file} cannot be read: ${(error as Error).message}`])
  }
}

/** @throws ConfigError that lists everything that is wrong. */
export function loadConfig(environment: Environment = readEnvironment()): Config {
  const problems = unknownNames(environment)
  const files = readSecretFiles(environment, SECRETS, problems)
  const values = readValues({ ...environment, ...files }, problems)
  const config = decide(values, problems)
  if (problems.length) throw new ConfigError(problems)
  return deepFreeze({ ...config, misspelled: misspelled(environment) })
}

function readValues(environment: Environment, problems: string[]): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { default: fallback, secret, parse }] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = environment[name]?.trim() || fallback
    values[name] = null
    if (text === null) continue
    try {
      values[name] = parse(text)
    } catch (error) {
      const got = secret ? '' : `, got '${text}'`
      problems.push(`${name}: ${(error as Error).message}${got}`)
    }
  }
  return values as Values
}

/** What a single variable cannot know: which go together, and defaults that depend on others. */
function decide(values: Values, problems: string[]): Omit<Config, 'misspelled'> {
  const tls = certificate(values, problems)
  if (values.LLM_PROVIDER === 'openai-compatible' && !values.LLM_BASE_URL)
    problems.push('LLM_PROVIDER=openai-compatible needs LLM_BASE_URL')
  const s3 = s3Service(values, problems)
  const files = filesOf(values, s3)
  checkApart(files, values.BACKUP_TO, problems)
  const public_url = values.PUBLIC_URL ?? `${tls ? 'https' : 'http'}://localhost:${values.PORT}`
  const registration = values.REGISTRATION ?? { kind: 'open' }
  const strangers =
    registration.kind === 'open' && !isLoopback(URL.parse(public_url)?.hostname ?? 'localhost')
  return {
    host: values.HOST ?? '',
    port: values.PORT ?? 0,
    public_url,
    tls,
    trust_proxy: values.TRUST_PROXY ?? 0,
    database: databaseOf(values, problems),
    idp_a: provider(values, 'IDP_A', problems),
    idp_b: provider(values, 'IDP_B', problems),
    passwords: values.PASSWORDS ?? true,
    account_linking: values.ACCOUNT_LINKING ?? (strangers ? 'strict' : 'merge'),
    registration,
    default_role: values.DEFAULT_ROLE ?? 'editor',
    fresh_proof: values.FRESH_PROOF ?? 'new',
    security_log_days: values.SECURITY_LOG_DAYS ?? 0,
    secret_keys: values.SECRET_KEY ?? [],
    app_fetch_private: values.APP_FETCH_PRIVATE ?? false,
    webhook_private: values.WEBHOOK_PRIVATE ?? false,
    llm: languageModel(values),
    cors_origins: values.CORS_ORIGINS ?? [],
    body_limit: values.BODY_LIMIT ?? 0,
    query_timeout: values.QUERY_TIMEOUT ?? 0,
    max_connections: values.MAX_CONNECTIONS ?? 0,
    max_per_address: values.MAX_CONNECTIONS_PER_ADDRESS,
    log_level: values.LOG_LEVEL ?? 'info',
    metrics: metrics(values, problems),
    rate_limit: values.RATE_LIMIT ?? 0,
    time_zone: values.TIME_ZONE ?? 'UTC',
    file_limit: values.FILE_LIMIT ?? 0,
    files,
    s3,
    backup: {
      to: values.BACKUP_TO && placeInWords(values.BACKUP_TO),
      at: values.BACKUP_AT ?? '',
      keep: values.BACKUP_KEEP ?? { days: 0, weeks: 0, months: 0 },
    },
  }
}

/** Where the files are that belong to a database, without a setting that says so. */
const filesNextTo = (database: DatabaseConfig | null): string =>
  resolve(database?.engine === 'sqlite' ? dirname(database.file) : 'data', 'files')

const filesOf = ({ FILES, DATABASE_URL }: Values, s3: S3Service): FilesConfig =>
  FILES && 'bucket' in FILES
    ? s3ConfigOf(s3, FILES)
    : { kind: 'folder', folder: FILES?.folder ?? filesNextTo(DATABASE_URL), isDefault: !FILES }

const placeInWords = (place: Place): string => ('folder' in place ? place.folder : s3Address(place))

/** Whoever asks must be known where something leads there. */
function s3Service(values: Values, problems: string[]): S3Service {
  const { FILES, BACKUP_TO } = values
  const service = {
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION ?? '',
    access_key_id: values.S3_ACCESS_KEY_ID,
    secret_access_key: values.S3_SECRET_ACCESS_KEY,
  }
  const leading = Object.entries({ FILES, BACKUP_TO }).filter(([, place]) => place && 'bucket' in place)
  const missing = leading.length ? missingForS3(service).filter((name) => !isNamed(problems, name)) : []
  for (const name of missing) problems.push(`${name} is missing: ${leading[0]![0]} leads to S3`)
  const alone = missingForS3(service)
  if (!leading.length && alone.length === 1 && !isNamed(problems, alone[0]!))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together')
  return service
}

/** Copies must not lie among the files, whether FILES says where those are or not. */
function checkApart(files: FilesConfig, copies: Place | null, problems: string[]): void {
  const place = files.kind === 'folder' ? files.folder : s3Address(files)
  if (copies && placeInWords(copies) === place)
    problems.push(
      `BACKUP_TO and FILES lead to one place: give the copies a ${files.kind === 'folder' ? 'folder' : 'prefix'} of their own`,
    )
}

function metrics({ METRICS_PORT, METRICS_HOST, PORT, HOST }: Values, problems: string[]): Config['metrics'] {
  if (METRICS_PORT === null) return null
  if (METRICS_PORT !== 0 && METRICS_PORT === PORT && mayBeOne(METRICS_HOST, HOST))
    problems.push('METRICS_PORT must be another port than PORT')
  return { host: METRICS_HOST ?? '', port: METRICS_PORT }
}

/** Whether two listen at one address, or may: who listens at all of them leaves nobody a port, and names lead anywhere. */
const mayBeOne = (one: string | null, other: string | null): boolean =>
  one === other || [one, other].some((host) => host !== null && (isIP(host) === 0 || EVERYWHERE.has(host)))

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** What could not be read has no value either, but is reported once. */
const isNamed = (problems: readonly string[], name: string) =>
  problems.some((each) => each.startsWith(`${name}:`))

function languageModel(values: Values): LlmConfig {
  const provider = values.LLM_PROVIDER ?? 'openai'
  return {
    provider,
    model: values.LLM_MODEL ?? DEFAULT_MODELS[provider],
    api_key: values.LLM_API_KEY,
    base_url: values.LLM_BASE_URL,
  }
}

function certificate({ TLS_CERT, TLS_KEY }: Values, problems: string[]): Config['tls'] {
  const isGiven = (name: 'TLS_CERT' | 'TLS_KEY', value: string | null) =>
    value !== null || isNamed(problems, name)
  const [hasCert, hasKey] = [isGiven('TLS_CERT', TLS_CERT), isGiven('TLS_KEY', TLS_KEY)]
  if (!hasCert && !hasKey) return null
  if (!hasCert || !hasKey) problems.push('TLS_CERT and TLS_KEY go together')
  const tls = { cert: TLS_CERT ?? '', key: TLS_KEY ?? '' }
  if (TLS_CERT && TLS_KEY) {
    try {
      createSecureContext(tls)
    } catch (error) {
      problems.push(`TLS_CERT and TLS_KEY do not fit: ${(error as Error).message}`)
    }
  }
  return tls
}

/** Connections of a process, where the settings say nothing. */
const CONNECTIONS = { read: 10, lookup: 4 }
const OF_POSTGRES = [
  'DATABASE_REPLICA_URLS',
  'DATABASE_LISTEN_URL',
  'READ_CONNECTIONS',
  'LOOKUP_CONNECTIONS',
] as const

function databaseOf(values: Values, problems: string[]): DatabaseConfig {
  const { DATABASE_URL, DATABASE_REPLICA_URLS, DATABASE_LISTEN_URL } = values
  if (DATABASE_URL?.engine !== 'postgres') {
    for (const name of OF_POSTGRES)
      if (values[name]) problems.push(`${name} needs a DATABASE_URL of PostgreSQL`)
    return DATABASE_URL ?? { engine: 'sqlite', file: '' }
  }
  const { READ_CONNECTIONS: read, LOOKUP_CONNECTIONS: lookup } = values
  return {
    ...DATABASE_URL,
    replica_urls: DATABASE_REPLICA_URLS ?? [],
    listen_url: DATABASE_LISTEN_URL,
    connections: { read: read ?? CONNECTIONS.read, lookup: lookup ?? CONNECTIONS.lookup },
  }
}

function provider(
  values: Values,
  prefix: 'IDP_A' | 'IDP_B',
  problems: string[],
): IdentityProviderConfig | null {
  const own = <N extends ProviderSetting>(name: N) => values[`${prefix}_${name}`]
  const key = prefix === 'IDP_B' ? signingKey(values, problems) : null
  const role_map = roleMap(prefix, own('ROLE_CLAIM'), own('ROLE_MAP'), problems)
  const [issuer, client_id, client_secret] = [own('ISSUER'), own('CLIENT_ID'), own('CLIENT_SECRET')]
  const isWrong = isNamed(problems, `${prefix}_ISSUER`)
  if (issuer === null && client_id === null && client_secret === null && !key && !isWrong) return null
  if (issuer === null && !isWrong) problems.push(`${prefix}_ISSUER is missing`)
  if (client_id === null) problems.push(`${prefix}_CLIENT_ID is missing`)
  if (client_secret && key) problems.push('IDP_B_CLIENT_SECRET and IDP_B_PRIVATE_KEY exclude each other')
  if (client_secret === null && !key)
    problems.push(`${prefix}_CLIENT_SECRET is missing${prefix === 'IDP_B' ? ' (or IDP_B_PRIVATE_KEY)' : ''}`)
  return {
    issuer: issuer ?? '',
    client_id: client_id ?? '',
    client_secret,
    signing_key: key,
    name: own('NAME') ?? (issuer ? new URL(issuer).hostname : ''),
    scopes: own('SCOPES') ?? '',
    trust_email: own('TRUST_EMAIL') ?? false,
    role_map,
  }
}

function roleMap(
  prefix: string,
  claim: string | null,
  roles: Record<string, Role> | null,
  problems: string[],
): IdentityProviderConfig['role_map'] {
  if (claim !== null && roles !== null) return { claim, roles }
  if ((claim ?? roles) !== null && !isNamed(problems, `${prefix}_ROLE_MAP`))
    problems.push(`${prefix}_ROLE_CLAIM and ${prefix}_ROLE_MAP go together`)
  return null
}

function signingKey(values: Values, problems: string[]): IdentityProviderConfig['signing_key'] {
  const parts = {
    private_key: values.IDP_B_PRIVATE_KEY,
    key_id: values.IDP_B_KEY_ID,
    team_id: values.IDP_B_TEAM_ID,
  }
  const missing = Object.entries(parts).filter(([, value]) => value === null)
  if (missing.length === 3) return null
  for (const name of missing.map(([part]) => `IDP_B_${part.toUpperCase()}`))
    if (!isNamed(problems, name)) problems.push(`${name} is missing: key, its id and the team id go together`)
  return parts as NonNullable<IdentityProviderConfig['signing_key']>
}

const KNOWN = [...Object.keys(SETTINGS), ...SECRETS.map((name) => `${name}_FILE`)]

/** All of them are this program's. */
const isOfProvider = (name: string) => /^IDP_[AB]_/.test(name)

/** A mistyped IDP_ variable would silently switch a provider off. */
function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => isOfProvider(name) && !KNOWN.includes(name))
    .map((name) => {
      const close = nearest(name, KNOWN)
      return `${name} is unknown${close ? `; did you mean ${close}?` : ''}`
    })
}

/** Of the length of a name: how much of it is another for a slip, and not a name of other programs. */
const SLIP = 0.15

/** Others may be of other programs: those that are nearly the name of a setting which is not set. */
function misspelled(environment: Environment): string[] {
  const unset = KNOWN.filter((name) => !environment[name]?.trim())
  return Object.keys(environment).flatMap((name) => {
    const close = KNOWN.includes(name) || isOfProvider(name) ? undefined : nearest(name, unset, SLIP)
    return close ? [`${name} is no setting, and has no effect. Did you mean ${close}?`] : []
  })
}

type ProviderSetting =
  | 'ISSUER'
  | 'CLIENT_ID'
  | 'CLIENT_SECRET'
  | 'NAME'
  | 'SCOPES'
  | 'TRUST_EMAIL'
  | 'ROLE_CLAIM'
  | 'ROLE_MAP'

function providerSettings<P extends 'IDP_A' | 'IDP_B'>(prefix: P, answered: string) {
  const callback = `PUBLIC_URL/api/auth/oauth/${prefix.toLowerCase()}/callback`
  const settings = {
    ISSUER: setting(
      null,
      `An OpenID Connect provider, found by discovery (\`http:\` only on loopback). Its redirect URI is \`${callback}\`, answered by ${answered}.`,
      issuer,
    ),
    CLIENT_ID: setting(null, 'The client id that the provider gave.', anyText),
    CLIENT_SECRET: setting(null, 'The client secret that the provider gave.', anyText, 'secret'),
    NAME: setting(null, "The provider's name for people; without it the issuer's host name.", anyText),
    SCOPES: setting('openid email profile', 'What is asked of the provider.', anyText),
    TRUST_EMAIL: setting(
      'false',
      'Take every e-mail of this issuer as verified (Microsoft sends no such claim).',
      flag,
    ),
    ROLE_CLAIM: setting(
      null,
      `The claim that says the role, such as \`groups\`. Goes with ${prefix}_ROLE_MAP.`,
      anyText,
    ),
    ROLE_MAP: setting(
      null,
      'Roles by values of that claim, as JSON: `{"admins": "owner", "*": "reader"}`; `*` fits everybody, and the highest that fits counts, at each sign-in by this provider. Where none fits, nobody is let in. Sessions of such accounts last at most 24 hours.',
      roles,
    ),
  }
  return Object.fromEntries(Object.entries(settings).map(([name, each]) => [`${prefix}_${name}`, each])) as {
    [N in ProviderSetting as `${P}_${N}`]: (typeof settings)[N]
  }
}

function setting<T>(
  fallback: string | null,
  meaning: string,
  parse: (text: string) => T,
  secret?: 'secret',
): Setting<T> {
  return { default: fallback, meaning, parse, ...(secret && { secret: true }) }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`expected a readable PEM file (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    })
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
