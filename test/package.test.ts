import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '#src/domain/version.ts'
import { Client } from '#test/support/client.ts'
import { ROOT, ServiceProcess } from '#test/support/process.ts'

const TIMEOUT = 120_000
/** Makes a Node give itself out for an old one; what it starts is what it is. */
const OLD = "--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.0'})"

const folder = mkdtempSync(join(tmpdir(), 'facet-package-'))
const installed = join(folder, 'empty/node_modules/facet-base')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** From what the image is made of: the checkout without what `.dockerignore` names, and the packages. */
function pack(): void {
  const source = join(folder, 'source')
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const filter = (path: string) => !ignored.some((each) => matchesGlob(relative(ROOT, path), each))
  cpSync(ROOT, source, { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'), 'junction')
  execFileSync(process.execPath, ['scripts/make-package.ts', folder], { cwd: source, stdio: 'pipe' })
}

/** As npm installs it, from the pins that come with it, without any registry. */
function install(): void {
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', [
    'xzf',
    join(folder, `facet-base-${VERSION}.tgz`),
    '--strip-components=1',
    '-C',
    installed,
  ])
  const { packages } = json(join(installed, 'npm-shrinkwrap.json')) as { packages: Record<string, object> }
  for (const place of Object.keys(packages)) {
    // What belongs to another platform is not here; what is within a package comes with it.
    if (!place || place.includes('/node_modules/') || !existsSync(join(ROOT, place))) continue
    const link = join(folder, 'empty', place)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, place), link, 'junction')
  }
}

/** Packages are looked for where the links are, not in the repository. */
const env = { NODE_OPTIONS: '--preserve-symlinks' }
const program: [string, ...string[]] = [
  process.execPath,
  '--preserve-symlinks-main',
  OLD,
  join(installed, 'bin/facet.js'),
]
const facet = (...words: string[]) =>
  spawnSync(program[0], [...program.slice(1), ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

describe('the package that is published, made of what the image is made of', { timeout: TIMEOUT }, () => {
  beforeAll(() => {
    pack()
    install()
  }, TIMEOUT)

  it('holds plain JavaScript, the web application, the documents, and pins of all that it needs', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => /\.(?:tsx?|map)$|\.test\./.test(name))).toEqual([])
    for (const name of [
      'bin/facet.js',
      'dist/main.js',
      'built-web/manifest.json',
      'docs/tutorial.md',
      'docs/pictures/tutorial-tag-light.png',
      'README.md',
    ])
      expect(files).toContain(name)
    const own = json(join(installed, 'package.json'))
    expect(own).toMatchObject({ version: VERSION, type: 'module', bin: { facet: 'bin/facet.js' } })
    expect(own).not.toHaveProperty('scripts')
    for (const version of Object.values(own.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/)
    const { packages } = json(join(installed, 'npm-shrinkwrap.json'))
    for (const name of Object.keys(own.dependencies))
      expect(packages).toHaveProperty([`node_modules/${name}`])
    const entries = Object.entries<{ dev?: boolean; integrity?: string }>(packages).slice(1)
    expect(entries.filter(([, { dev, integrity }]) => dev || !integrity)).toEqual([])
    expect(JSON.stringify(packages)).not.toContain('"resolved"')
  })

  it('has a README that starts what is installed, and no link that leads nowhere', () => {
    const documents = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(?:docs[/\\].*|README|CHANGELOG)\.md$/.test(name),
    )
    const text = (name: string) => readFileSync(join(installed, name), 'utf8')
    expect(text('README.md')).toContain('\nnpx facet-base start\n')
    expect(text('README.md')).not.toMatch(/npm (?:ci|start|test|run)/)
    const links = documents.flatMap((name) =>
      [...text(name).matchAll(/\]\(([\w./-]+)(?:#[\w-]*)?\)/g)].map(([, target = '']) => ({ name, target })),
    )
    const leads = ({ name, target }: { name: string; target: string }) =>
      target.startsWith('/') || existsSync(join(installed, dirname(name), target))
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter((each) => !leads(each))).toEqual([])
  })

  it('starts in an empty folder with one command, under a Node that is too old, and serves everything', async () => {
    await using service = new ServiceProcess({
      command: [...program, 'start'],
      env,
    })
    const url = await service.url()
    const client = new Client(url)
    await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
    await client.ok('POST', '/api/items', { name: 'First' })
    const found = await client.ok('POST', '/api/items/search', { filter: { name: { regex: '^F.*t$' } } })
    expect(found).toHaveLength(1)
    const page = await (await fetch(url)).text()
    const [, script = ''] = /src="(\/assets\/main-[\w-]+\.js)"/.exec(page) ?? []
    const answer = await fetch(url + script)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    for (const path of [
      '/docs/tutorial.md',
      '/docs/pictures/tutorial-tag-light.png',
      '/api/openapi.json',
      '/api/swagger-ui',
      '/api/swagger-ui/swagger-ui.css',
    ])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    // Made by one user, it could be read by no other, and Node and npm look there.
    expect(existsSync(join(installed, 'node_modules'))).toBe(false)
  })

  it('passes over a folder of packages that it cannot read', () => {
    const unreadable = join(installed, 'node_modules')
    writeFileSync(unreadable, '')
    try {
      expect(facet('version')).toMatchObject({ status: 0, stdout: `${VERSION}\n`, stderr: '' })
    } finally {
      rmSync(unreadable)
    }
  })

  it('has the commands, and calls itself by its name', () => {
    expect(facet('version')).toMatchObject({ status: 0, stdout: `${VERSION}\n`, stderr: '' })
    const { stdout, status } = facet('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Usage: facet COMMAND/)
    expect(stdout).not.toContain('npm run facet')
    expect(facet('nonsense').status).toBe(2)
    expect(facet('user', 'list')).toMatchObject({ status: 1, stdout: '' })
  })
})
