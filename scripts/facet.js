import { goOnWithOwnNode, isTooOld } from './own-node.js'

if (isTooOld()) goOnWithOwnNode()
else {
  const { packedModule } = await import('./pack.js')
  await import(await packedModule('cli/facet'))
}
