import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type ConfigError, type Environment, loadConfig, SECRETS, SETTINGS } from '#src/config/read-config.ts'

const pem = (name: string) => fileURLToPath(new URL(`../../test/support/tls/${name}.pem`, import.meta.url))

const applesKey = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey

function problemsOf(environment: Environment): string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    return (error as ConfigError).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

describe('loadConfig', () => {
  it('has a default for everything', () => {
    expect(loadConfig({})).toEqual({
      misspelled: [],
      app_fetch_private: false,
      s3: { endpoint: null, region: 'us-east-1', access_key_id: null, secret_access_key: null },
      file_limit: 100 * 2 ** 20,
      files: { kind: 'folder', folder: resolve('data/files'), isDefault: true },
      webhook_private: false,
      host: '127.0.0.1',
      port: 3000,
      public_url: 'http://localhost:3000',
      tls: null,
      max_connections: 5000,
      max_per_address: null,
      trust_proxy: 0,
      database: { engine: 'sqlite', file: './data/facet.db' },
      idp_a: null,
      idp_b: null,
      passwords: true,
      account_linking: 'merge',
      registration: { kind: 'open' },
      default_role: 'editor',
      fresh_proof: 'new',
      secret_keys: [],
      security_log_days: 365,
      llm: { provider: 'openai', model: 'gpt-6-astra', api_key: null, base_url: null },
      cors_origins: [],
      body_limit: 32 * 1024 * 1024,
      query_timeout: 10_000,
      log_level: 'info',
      metrics: null,
      rate_limit: 0,
      time_zone: 'UTC',
      backup: { to: null, at: '0 3 * * *', keep: { days: 7, weeks: 4, months: 12 } },
    })
  })

  it('reports names that are nearly those of settings which are not set', () => {
    const environment = {
      REGISTRATON: 'closed',
      CORS_ORIGIN: 'https://a.example',
      log_level: 'warn',
      BACKUP_TO: '/copies',
      BACKUPS_TO: '/copies',
      HOSTNAME: 'machine',
      FILE: 'x',
      AWS_ACCESS_KEY_ID: 'x',
      POSTGRES_PASSWORD: 'x',
    }
    expect(loadConfig(environment).misspelled).toEqual([
      'REGISTRATON is no setting, and has no effect. Did you mean REGISTRATION?',
      'CORS_ORIGIN is no setting, and has no effect. Did you mean CORS_ORIGINS?',
      'log_level is no setting, and has no effect. Did you mean LOG_LEVEL?',
    ])
  })

  it('cannot be changed', () => {
    const config = loadConfig({ CORS_ORIGINS: 'https://a.example' })
    expect([config, config.database, config.cors_origins].every((each) => Object.isFrozen(each))).toBe(true)
  })

  it('takes an empty variable as unset', () => {
    expect(loadConfig(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ' '])))).toEqual(
      loadConfig({}),
    )
  })

  const read: [environment: Environment, expected: object][] = [
    [{ PORT: '8080' }, { port: 8080, public_url: 'http://localhost:8080' }],
    [{ PORT: '0' }, { port: 0, public_url: 'http://localhost:0' }],
    [{ PUBLIC_URL: 'https://facet.example.org/' }, { public_url: 'https://facet.example.org' }],
    [{ PUBLIC_URL: 'HTTPS://Facet.Example.ORG:443' }, { public_url: 'https://facet.example.org' }],
    [
      { TLS_CERT: pem('cert'), TLS_KEY: pem('key') },
      {
        public_url: 'https://localhost:3000',
        tls: { cert: expect.stringContaining('CERTIFICATE'), key: expect.stringContaining('PRIVATE KEY') },
      },
    ],
    [{ TRUST_PROXY: 'TRUE' }, { trust_proxy: 1 }],
    [{ TRUST_PROXY: 'off' }, { trust_proxy: 0 }],
    [{ TRUST_PROXY: '2' }, { trust_proxy: 2 }],
    [{ TRUST_PROXY: '10.0.0.2, fd00::/64' }, { trust_proxy: ['10.0.0.2', 'fd00::/64'] }],
    [{ PUBLIC_URL: 'https://facet.example.org' }, { account_linking: 'strict' }],
    [{ PUBLIC_URL: 'https://facet.example.org', ACCOUNT_LINKING: 'merge' }, { account_linking: 'merge' }],
    [{ PUBLIC_URL: 'https://facet.example.org', REGISTRATION: 'closed' }, { account_linking: 'merge' }],
    [{ PUBLIC_URL: 'http://127.0.0.1:8080' }, { account_linking: 'merge' }],
    [
      { DATABASE_URL: 'file:/var/lib/facet/a b.db' },
      { database: { engine: 'sqlite', file: '/var/lib/facet/a b.db' } },
    ],
    [
      { DATABASE_URL: 'file:///var/lib/facet.db' },
      { database: { engine: 'sqlite', file: '/var/lib/facet.db' } },
    ],
    [{ DATABASE_URL: 'file:facet.db' }, { database: { engine: 'sqlite', file: 'facet.db' } }],
    [
      {
        DATABASE_URL: 'postgres://u:p@a,b:5433/facet',
        DATABASE_REPLICA_URLS: 'postgres://c/facet, postgres://d/facet',
      },
      {
        database: {
          engine: 'postgres',
          url: 'postgres://u:p@a,b:5433/facet',
          replica_urls: ['postgres://c/facet', 'postgres://d/facet'],
          listen_url: null,
          connections: { read: 10, lookup: 4 },
        },
      },
    ],
    [
      { DATABASE_URL: 'postgres://u:sslmode=require@a,b/facet?sslmode=require&x=1' },
      { database: { url: 'postgres://u:sslmode=require@a,b/facet?sslmode=verify-full&x=1' } },
    ],
    [
      { DATABASE_URL: 'postgres://a/facet?sslmode=require&uselibpqcompat=true' },
      { database: { url: 'postgres://a/facet?sslmode=require&uselibpqcompat=true' } },
    ],
    [
      { DATABASE_URL: 'postgres://u:p@a/facet', READ_CONNECTIONS: '64', LOOKUP_CONNECTIONS: '8' },
      {
        database: {
          engine: 'postgres',
          url: 'postgres://u:p@a/facet',
          replica_urls: [],
          listen_url: null,
          connections: { read: 64, lookup: 8 },
        },
      },
    ],
    [
      {
        IDP_A_ISSUER: 'https://accounts.example.org',
        IDP_A_CLIENT_ID: 'facet',
        IDP_A_CLIENT_SECRET: 's',
        IDP_A_ROLE_CLAIM: 'groups',
        IDP_A_ROLE_MAP: '{"admins": "owner", "*": "reader"}',
      },
      { idp_a: { role_map: { claim: 'groups', roles: { admins: 'owner', '*': 'reader' } } } },
    ],
    [{ PASSWORDS: 'off' }, { passwords: false }],
    [{ REGISTRATION: 'closed' }, { registration: { kind: 'closed' } }],
    [
      { REGISTRATION: 'domain: Example.org ,example.net' },
      { registration: { kind: 'domain', domains: ['example.org', 'example.net'] } },
    ],
    [{ ACCOUNT_LINKING: 'strict' }, { account_linking: 'strict' }],
    [
      { CORS_ORIGINS: 'https://a.example, http://localhost:5173,' },
      { cors_origins: ['https://a.example', 'http://localhost:5173'] },
    ],
    [{ BODY_LIMIT: '500kB' }, { body_limit: 500_000 }],
    [{ BODY_LIMIT: '1 MiB' }, { body_limit: 1_048_576 }],
    [{ BODY_LIMIT: '4096' }, { body_limit: 4096 }],
    [{ LOG_LEVEL: 'Silent' }, { log_level: 'silent' }],
    [
      { SECRET_KEY: `${'0f'.repeat(32)}, ${'A'.repeat(43)}=` },
      { secret_keys: [Buffer.from('0f'.repeat(32), 'hex').toString('base64'), `${'A'.repeat(43)}=`] },
    ],
    [{ METRICS_PORT: '3000', HOST: '10.0.0.2' }, { metrics: { host: '127.0.0.1', port: 3000 } }],
    [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 } }],
    [{ METRICS_PORT: '0', METRICS_HOST: '::' }, { metrics: { host: '::', port: 0 } }],
    [{ RATE_LIMIT: '600' }, { rate_limit: 600 }],
    [{ TIME_ZONE: 'Europe/Vienna' }, { time_zone: 'Europe/Vienna' }],
    [
      { LLM_PROVIDER: 'openai-compatible', LLM_BASE_URL: 'http://localhost:11434/v1/', LLM_MODEL: 'llama' },
      {
        llm: {
          provider: 'openai-compatible',
          base_url: 'http://localhost:11434/v1',
          model: 'llama',
          api_key: null,
        },
      },
    ],
    [
      {
        IDP_A_ISSUER: 'https://accounts.example.org',
        IDP_A_CLIENT_ID: 'facet',
        IDP_A_CLIENT_SECRET: 's',
        IDP_A_TRUST_EMAIL: 'true',
      },
      {
        idp_a: {
          issuer: 'https://accounts.example.org',
          client_id: 'facet',
          client_secret: 's',
          signing_key: null,
          name: 'accounts.example.org',
          scopes: 'openid email profile',
          trust_email: true,
          role_map: null,
        },
        idp_b: null,
      },
    ],
    [
      {
        IDP_B_ISSUER: 'http://localhost:9000',
        IDP_B_CLIENT_ID: 'facet',
        IDP_B_PRIVATE_KEY: applesKey.replaceAll('\n', '\\n'),
        IDP_B_KEY_ID: 'K',
        IDP_B_TEAM_ID: 'T',
        IDP_B_NAME: 'Orchard',
      },
      {
        idp_b: {
          name: 'Orchard',
          client_secret: null,
          signing_key: {
            private_key: applesKey,
            key_id: 'K',
            team_id: 'T',
          },
        },
      },
    ],
  ]
  for (const [environment, expected] of read)
    it(`reads ${JSON.stringify(environment).slice(0, 80)}`, () => {
      expect(loadConfig(environment)).toMatchObject(expected)
    })

  const refused: [environment: Environment, ...problems: (string | RegExp)[]][] = [
    [{ PORT: '70000' }, "PORT: expected a port number from 0 to 65535, got '70000'"],
    [{ PORT: '3000x' }, /^PORT/],
    [
      { IDP_A_ROLE_MAP: '{"admins": "king"}' },
      /^IDP_A_ROLE_MAP: expected 'admins' to be one of: owner, editor, reader/,
    ],
    [{ IDP_B_ROLE_MAP: '[]' }, /^IDP_B_ROLE_MAP: expected a JSON object of roles/],
    [{ IDP_B_ROLE_MAP: '{}' }, /^IDP_B_ROLE_MAP: expected a JSON object of roles/],
    [
      {
        IDP_A_ISSUER: 'https://accounts.example.org',
        IDP_A_CLIENT_ID: 'facet',
        IDP_A_CLIENT_SECRET: 's',
        IDP_A_ROLE_CLAIM: 'groups',
      },
      'IDP_A_ROLE_CLAIM and IDP_A_ROLE_MAP go together',
    ],
    [{ PASSWORDS: 'maybe' }, "PASSWORDS: expected on or off, got 'maybe'"],
    [{ PUBLIC_URL: 'facet.example.org' }, /^PUBLIC_URL: expected an origin such as/],
    [{ PUBLIC_URL: 'https://facet.example.org/path' }, /^PUBLIC_URL/],
    [{ TLS_CERT: pem('cert') }, 'TLS_CERT and TLS_KEY go together'],
    [{ TLS_CERT: '/nowhere.pem' }, /^TLS_CERT: expected/, 'TLS_CERT and TLS_KEY go together'],
    [{ IDP_A_ROLE_CLAIM: 'groups' }, 'IDP_A_ROLE_CLAIM and IDP_A_ROLE_MAP go together'],
    [{ FILES: 's3://b/files' }, /: a bucket has 3 to 63 letters/],
    [{ FILES: '~/files', BACKUP_TO: '~ann' }, /^FILES: .*: only a shell/, /^BACKUP_TO: .*: only a shell/],
    [{ DATABASE_URL: 'file:~/facet.db' }, /^DATABASE_URL: expected file:PATH, .*: only a shell/],
    [{ DATABASE_URL: 'file://data/facet.db' }, /^DATABASE_URL: expected file:PATH, such as file:data/],
    [
      { TLS_CERT: '/nowhere.pem', TLS_KEY: pem('key') },
      "TLS_CERT: expected a readable PEM file (ENOENT), got '/nowhere.pem'",
    ],
    [{ TLS_CERT: pem('key'), TLS_KEY: pem('cert') }, /^TLS_CERT and TLS_KEY do not fit/],
    [
      { TRUST_PROXY: 'maybe' },
      "TRUST_PROXY: expected true, false, a number of proxies, or their addresses, got 'maybe'",
    ],
    [
      { DATABASE_URL: 'mysql://u:hidden@h/d' },
      'DATABASE_URL: expected file:PATH or postgres://user:password@host:port/name',
    ],
    [{ DATABASE_URL: 'file:' }, /^DATABASE_URL/],
    [{ DATABASE_URL: 'file:%zz' }, 'DATABASE_URL: expected file:PATH, where a % in the path is written %25'],
    [{ HOST: '127.0.0.1:4511' }, /^HOST: expected an address such as 127\.0\.0\.1 or ::1/],
    [{ HOST: '[::1]' }, /^HOST: expected an address such as 127\.0\.0\.1 or ::1/],
    [{ HOST: 'http://localhost' }, /^HOST: expected an address such as 127\.0\.0\.1 or ::1/],
    [{ METRICS_HOST: '[::]' }, /^METRICS_HOST: expected an address/],
    [{ S3_ACCESS_KEY_ID: 'x' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together'],
    [{ DATABASE_URL: 'postgres:///' }, /^DATABASE_URL/],
    [
      { DATABASE_REPLICA_URLS: 'postgres://c/facet' },
      'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL',
    ],
    [{ READ_CONNECTIONS: '20' }, 'READ_CONNECTIONS needs a DATABASE_URL of PostgreSQL'],
    [
      { DATABASE_URL: 'postgres://a/facet', READ_CONNECTIONS: '2' },
      "READ_CONNECTIONS: expected a whole number of at least 3, got '2'",
    ],
    [{ DATABASE_URL: 'postgres://a/facet', LOOKUP_CONNECTIONS: '0' }, /^LOOKUP_CONNECTIONS: expected/],
    [
      { REGISTRATION: 'domain:' },
      "REGISTRATION: expected open, closed or domain:example.org,example.net, got 'domain:'",
    ],
    [{ REGISTRATION: 'domain:exa mple' }, /^REGISTRATION: expected 'exa mple' to be a domain/],
    [{ ACCOUNT_LINKING: 'no' }, "ACCOUNT_LINKING: expected one of: merge, strict, got 'no'"],
    [{ CORS_ORIGINS: '*' }, /^CORS_ORIGINS/],
    [
      { SECRET_KEY: ',', CORS_ORIGINS: ' , ', TRUST_PROXY: ',' },
      "TRUST_PROXY: expected more than separators, got ','",
      'SECRET_KEY: expected more than separators',
      "CORS_ORIGINS: expected more than separators, got ','",
    ],
    [{ CORS_ORIGINS: 'https://a.example/x' }, /^CORS_ORIGINS/],
    [{ BODY_LIMIT: '0' }, /^BODY_LIMIT/],
    [{ BODY_LIMIT: '2 GiB' }, /^BODY_LIMIT: expected a size such as 32 MiB/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: expected one of: fatal, error/],
    [{ RATE_LIMIT: '-1' }, /^RATE_LIMIT: expected a whole number, 0 for none/],
    [{ METRICS_PORT: 'yes' }, /^METRICS_PORT: expected a port number/],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT must be another port than PORT'],
    [{ METRICS_PORT: '3000', HOST: '0.0.0.0' }, 'METRICS_PORT must be another port than PORT'],
    [{ METRICS_PORT: '3000', METRICS_HOST: '::' }, 'METRICS_PORT must be another port than PORT'],
    [{ METRICS_PORT: '3000', HOST: 'localhost' }, 'METRICS_PORT must be another port than PORT'],
    [{ FILES: 's3://bucket/../other' }, /^FILES: expected a folder such as .*, or s3:\/\/bucket\/prefix/],
    [{ BACKUP_TO: 's3://bucket/copies/.' }, /^BACKUP_TO: expected a folder such as .*, or s3:/],
    [{ BACKUP_TO: 'ftp://host/facet' }, /^BACKUP_TO: expected a folder such as .*, or s3:/],
    [
      { BACKUP_TO: 's3://bucket/facet' },
      'S3_ACCESS_KEY_ID is missing: BACKUP_TO leads to S3',
      'S3_SECRET_ACCESS_KEY is missing: BACKUP_TO leads to S3',
    ],
    [
      {
        BACKUP_TO: 's3://bucket/facet/',
        FILES: 's3://bucket/facet',
        S3_ACCESS_KEY_ID: 'x',
        S3_SECRET_ACCESS_KEY: 'x',
      },
      'BACKUP_TO and FILES lead to one place: give the copies a prefix of their own',
    ],
    [
      { FILES: '/srv/facet/files', BACKUP_TO: '/srv/facet/../facet/files/' },
      'BACKUP_TO and FILES lead to one place: give the copies a folder of their own',
    ],
    [
      { DATABASE_URL: 'file:/srv/facet/facet.db', BACKUP_TO: '/srv/facet/files' },
      'BACKUP_TO and FILES lead to one place: give the copies a folder of their own',
    ],
    [{ BACKUP_AT: '0 3 31 2 *' }, /^BACKUP_AT: expected a time that comes/],
    [{ BACKUP_AT: '* * * * * *' }, /^BACKUP_AT: expected minute, hour/],
    [{ BACKUP_KEEP: '0d,0m' }, /^BACKUP_KEEP: expected at least one day, week or month/],
    [{ BACKUP_KEEP: '7d,2d' }, /^BACKUP_KEEP: expected days, weeks and months/],
    [{ TIME_ZONE: 'Europe/Wien' }, /^TIME_ZONE: expected the IANA name/],
    [{ LLM_PROVIDER: 'openai-compatible' }, 'LLM_PROVIDER=openai-compatible needs LLM_BASE_URL'],
    [{ LLM_PROVIDER: 'other' }, /^LLM_PROVIDER/],
    [{ IDP_A_ISSUER: 'https://a.example' }, 'IDP_A_CLIENT_ID is missing', 'IDP_A_CLIENT_SECRET is missing'],
    [
      { IDP_A_ISSUER: 'a.example' },
      /^IDP_A_ISSUER: expected/,
      'IDP_A_CLIENT_ID is missing',
      'IDP_A_CLIENT_SECRET is missing',
    ],
    [
      { IDP_A_ISSUER: 'http://a.example', IDP_A_CLIENT_ID: 'x', IDP_A_CLIENT_SECRET: 'x' },
      /^IDP_A_ISSUER: expected an https address \(http is for loopback/,
    ],
    [{ IDP_A_CLIENT_SECRET: 'x', IDP_A_CLIENT_ID: 'x' }, 'IDP_A_ISSUER is missing'],
    [{ IDP_A_ISUER: 'https://a.example' }, 'IDP_A_ISUER is unknown; did you mean IDP_A_ISSUER?'],
    [
      { IDP_B_ISSUER: 'https://a.example', IDP_B_CLIENT_ID: 'x', IDP_B_KEY_ID: 'x' },
      'IDP_B_PRIVATE_KEY is missing: key, its id and the team id go together',
      'IDP_B_TEAM_ID is missing: key, its id and the team id go together',
    ],
    [
      { IDP_B_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\nhidden\n-----END PRIVATE KEY-----' },
      'IDP_B_PRIVATE_KEY: expected a private key in PEM form',
    ],
    [{ IDP_B_PRIVATE_KEY: 'hidden' }, 'IDP_B_PRIVATE_KEY: expected a private key in PEM form'],
    [{ PORT: 'x', LOG_LEVEL: 'x', BODY_LIMIT: 'x' }, /^PORT/, /^BODY_LIMIT/, /^LOG_LEVEL/],
  ]
  for (const [environment, ...expected] of refused)
    it(`refuses ${JSON.stringify(environment).slice(0, 80)}`, () => {
      const problems = problemsOf(environment)
      expect(problems).toEqual(
        expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
      )
      expect(problems.join()).not.toContain('hidden')
    })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (text: string) => {
    const path = join(folder, `${Math.abs(text.length)}.txt`)
    writeFileSync(path, text)
    return path
  }

  it('is its content, without the line feed', () => {
    expect(loadConfig({ LLM_API_KEY_FILE: file('sk-1234\n') }).llm.api_key).toBe('sk-1234')
    for (const name of SECRETS)
      expect(problemsOf({ [`${name}_FILE`]: join(folder, 'none') })).toContainEqual(
        expect.stringMatching(new RegExp(`^${name}_FILE: '\\S+none' is not there; it is the path of a file`)),
      )
  })

  it('is refused where it is empty, long, or given twice', () => {
    expect(problemsOf({ LLM_API_KEY_FILE: file('\n') })).toEqual([
      expect.stringMatching(/^LLM_API_KEY_FILE: .* is empty$/),
    ])
    expect(problemsOf({ LLM_API_KEY_FILE: file('x'.repeat(70_000)) })).toEqual([
      expect.stringContaining('70000 bytes, more than'),
    ])
    expect(problemsOf({ LLM_API_KEY_FILE: file('abc'), LLM_API_KEY: 'abc' })).toEqual([
      'LLM_API_KEY and LLM_API_KEY_FILE exclude each other',
    ])
    expect(problemsOf({ IDP_A_CLIENT_SECRT_FILE: 'x' })).toEqual([
      'IDP_A_CLIENT_SECRT_FILE is unknown; did you mean IDP_A_CLIENT_SECRET_FILE?',
    ])
  })
})
