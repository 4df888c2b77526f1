import { describe, expect, it } from 'vitest'
import { doubtfulSettings } from '#src/config/doubtful-settings.ts'
import { loadConfig } from '#src/config/read-config.ts'

const cases: [env: Record<string, string>, warnings: RegExp[]][] = [
  [{}, []],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://facet.example.org', REGISTRATION: 'closed' }, []],
  [{ PUBLIC_URL: 'https://facet.example.org' }, [/REGISTRATION is open/]],
  [{ PUBLIC_URL: 'http://facet.example.org', REGISTRATION: 'closed' }, [/PUBLIC_URL is http:.*over http/]],
  [{ HOST: '0.0.0.0' }, [/listens on all addresses of this machine, but PUBLIC_URL is http:\/\/localhost/]],
  [{ HOST: '192.0.2.1' }, [/listens on 192\.0\.2\.1, but/]],
  [{ HOST: '::1' }, []],
]

describe('settings that are probably not what is wanted', () => {
  for (const [env, warnings] of cases)
    it(`${JSON.stringify(env)}: ${warnings.length || 'nothing'} to say`, () => {
      expect(doubtfulSettings(loadConfig(env))).toEqual(warnings.map((each) => expect.stringMatching(each)))
    })
})
