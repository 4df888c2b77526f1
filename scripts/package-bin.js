#!/usr/bin/env node
// The program of the published package: plain JavaScript, so that a Node that is too old can still find the one that
// came along.
import { setFlagsFromString } from 'node:v8'
import { goOnWithOwnNode, isTooOld } from './own-node.js'

// What a request makes is dead after it (decision 2).
if (process.argv[2] === 'start') setFlagsFromString('--max-semi-space-size=4')
if (isTooOld()) goOnWithOwnNode()
else {
  const address = new URL('../dist/facet.js', import.meta.url).href
  await import(address)
}
