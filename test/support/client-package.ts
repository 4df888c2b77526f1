import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT } from '#test/support/process.ts'

interface Packed {
  /** The file that npm makes. */
  tarball: string
  /** Bytes of it. */
  size: number
  /** What is in it. */
  files: string[]
}

/** The client as `npm pack` makes it, below a folder. */
export function packClient(folder: string): Packed {
  const source = join(folder, 'package')
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-client.ts'), source])
  const said = npm(folder, 'pack', source, '--json', '--ignore-scripts', '--pack-destination', folder)
  const [packed] = JSON.parse(said) as { filename: string; size: number; files: { path: string }[] }[]
  return {
    tarball: join(folder, packed!.filename),
    size: packed!.size,
    files: packed!.files.map(({ path }) => path).sort(),
  }
}

/** A folder for programs in which the client is installed, without any registry. */
export function installClient(folder: string): string {
  const { tarball } = packClient(folder)
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'package.json'), '{"type": "module"}')
  npm(programs, 'install', '--offline', '--no-audit', '--no-fund', tarball)
  return programs
}

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32', stdio: 'pipe' })

/** A Node 20 of this machine, else the one that runs this. */
export function oldestNode(): { program: string; version: string } {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((each) => join(each, 'node'))
    .filter((each) => existsSync(each))
    .map((program) => ({
      program,
      version: spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    }))
    .find(({ version }) => version.startsWith('v20.'))
  return found ?? { program: process.execPath, version: process.version }
}

const README = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8')

/** The examples of a language, as they are printed. */
export const examples = (language: string): string[] =>
  [...README.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!)

/** All examples as one program, and what it says to print; address and key are put in place of those of the text. */
export function readmeProgram(url: string, key: string): { program: string; prints: string[] } {
  const text = examples('js').join('\n')
  return {
    program: text.replaceAll('http://127.0.0.1:3000', url).replaceAll('facet_…', key),
    prints: [...text.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, said]) => said!),
  }
}
