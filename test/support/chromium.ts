import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'

const { resolve } = createRequire(import.meta.url)
const PACKAGE = dirname(dirname(resolve('@sparticuz/chromium')))
const { version } = createRequire(import.meta.url)(join(PACKAGE, 'package.json')) as { version: string }

/** Unpacked once for each version; the second finds it. */
const FOLDER = join(process.env['TEST_LASTING'] ?? tmpdir(), `facet-chromium-${version}`)

/** The package's own file looks elsewhere, and without a font Chromium dies at the first text field. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(FOLDER, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(FOLDER, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** A real Chromium without a window, from npm; CHROMIUM_PATH names another one. */
export const launchChromium = async (): Promise<Browser> => chromium.launch(await launchOptions())

/** Of the heap of a page: a flow ends before most of its garbage is looked for, a twentieth of the computing less. */
const NURSERY = '--js-flags=--min-semi-space-size=16 --max-semi-space-size=32'

/** The same for several processes, which connect to its `wsEndpoint()`, and for the flows of tests. */
export async function launchChromiumServer(): Promise<BrowserServer> {
  const options = await launchOptions()
  return chromium.launchServer({ ...options, args: [...options.args!, NURSERY] })
}

async function launchOptions(): Promise<LaunchOptions> {
  return {
    executablePath: process.env['CHROMIUM_PATH'] ?? (await unpacked()),
    args: [
      '--no-sandbox', // tests may run as root, in a small container
      '--disable-dev-shm-usage',
      // As browsers on desktops have it: a sandboxed frame has a process of its own.
      '--site-per-process',
      '--enable-features=IsolateSandboxedIframes',
    ],
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(FOLDER, 'fonts.conf'),
      // Libraries that a bare machine lacks come with the package.
      LD_LIBRARY_PATH: [process.env['LD_LIBRARY_PATH'], join(FOLDER, 'al2023', 'lib')]
        .filter(Boolean)
        .join(':'),
    },
  }
}

async function unpacked(): Promise<string> {
  const executable = join(FOLDER, 'chromium')
  if (existsSync(executable)) return executable
  const { inflate } = await import('@sparticuz/chromium')
  // The package unpacks into TMPDIR and takes half of a file for the whole: so beside, then renamed.
  const { TMPDIR } = process.env
  const beside = mkdtempSync(`${FOLDER}-`)
  process.env['TMPDIR'] = beside
  try {
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
    await Promise.all(archives.map((name) => inflate(join(PACKAGE, 'bin', name))))
    writeFileSync(join(beside, 'fonts.conf'), FONTS)
    renameSync(beside, FOLDER)
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    if (!existsSync(executable)) throw error // another process was faster
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
  return executable
}
