// Plain JavaScript, so that a Node that is too old for the rest can still go on with the right one.
import { goOnWithOwnNode, isTooOld } from './own-node.js'

if (isTooOld()) goOnWithOwnNode()
else {
  const { packedModule } = await import('./pack.js')
  await import(await packedModule('main'))
}
