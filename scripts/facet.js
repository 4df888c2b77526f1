import { packedModule } from './pack.js'

await import(await packedModule('cli/facet'))
