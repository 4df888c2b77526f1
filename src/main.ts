import { startApp } from '#src/app.ts'
import { loadConfig } from '#src/config.ts'

const app = await startApp({ config: loadConfig() })
process.stdout.write(`Facet is ready at ${app.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void app.close().then(() => process.exit(0))
  })
