import { buildWeb } from '#src/api/web/build-web.ts'
import { builtWeb, cachedBuild, keepBuild, keyOfSources, type Served } from '#src/api/web/web-cache.ts'
import type { WebLook } from '#src/api/web/web-files.ts'

/** The web application as it is served: made when it is first wanted, then kept. */
export class WebApp {
  private readonly rebuilds: boolean
  private key: string | undefined
  private made: Promise<Served> | undefined

  /** @param rebuilds looks at every page whether a source has changed, for anyone who works on the application */
  constructor({ rebuilds = false } = {}) {
    this.rebuilds = rebuilds
  }

  /**
   * What is served now. A build that failed is tried again.
   * @throws Error that names the faults of the sources
   */
  async served(): Promise<Served> {
    if (!this.made) this.made = this.make()
    try {
      return await this.made
    } catch (error) {
      this.made = undefined
      throw error
    }
  }

  /** The same, of the newest sources where they may change. */
  async servedFresh(): Promise<Served> {
    if (this.rebuilds && this.made && this.key !== undefined && this.key !== (await keyOfSources()))
      this.made = undefined
    return this.served()
  }

  /** How pages next to it look. One that could not be built is no reason to refuse an app: null. */
  async look(): Promise<WebLook | null> {
    return this.served().then(
      ({ manifest }) => manifest.look,
      () => null,
    )
  }

  private async make(): Promise<Served> {
    const built = await builtWeb()
    if (built) return built
    const key = await keyOfSources()
    this.key = key
    return (await cachedBuild(key)) ?? keepBuild(key, await buildWeb())
  }
}
