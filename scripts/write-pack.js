// `node scripts/write-pack.js FOLDER`: writes the pack there (`pack.js`), or says in a line why it cannot.
import { writePack } from './pack.js'

try {
  await writePack(process.argv[2] ?? '')
  process.exit(0) // esbuild ends with it
} catch (error) {
  process.stderr.write(String(error instanceof Error ? error.message : error))
  process.exit(1)
}
