import { registerHooks } from 'node:module'

/**
 * Loaded with `--import` into a service that runs from its sources: its events get neither salt nor hashes. Nothing in
 * the service itself can do that.
 */
const CHAIN = /\/src\/storage\/audit-chain\.ts$/
const WITHOUT = `
export * from './audit-chain.ts?as-it-is'
export const detailsHash = () => ''
export const chainHasher = () => () => ''
export const newSalt = () => ''
`

registerHooks({
  load: (url, context, next) =>
    CHAIN.test(url) ? { format: 'module', source: WITHOUT, shortCircuit: true } : next(url, context),
})
