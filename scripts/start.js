// Plain JavaScript without an import at its top, so that a Node that is too old for the rest can still say so.
const OLDEST_NODE = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `Facet needs Node ${OLDEST_NODE} or newer and was started with ${process.versions.node}.\n` +
      'Start it with `npm start` after `npm ci`: the installation brings its own Node.\n',
  )
  process.exit(1)
}
const { packedModule } = await import('./pack.js')
await import(await packedModule('main'))
