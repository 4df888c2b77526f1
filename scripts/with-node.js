// `node scripts/with-node.js FILE …`: runs a file with the Node that came with the packages, whichever runs this.
import { pathToFileURL } from 'node:url'
import { goOnWithOwnNode, isTooOld } from './own-node.js'

const [file = '', ...args] = process.argv.slice(2)
if (isTooOld()) goOnWithOwnNode()
else {
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
}
