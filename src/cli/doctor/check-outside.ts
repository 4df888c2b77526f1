import { type Finding, fail, ok, PATIENCE, warn, worded } from '#src/cli/doctor/finding.ts'
import type { Config, IdentityProviderConfig, LlmConfig } from '#src/config/config.ts'

/** Where a model answers that has no address of its own. */
const MODELS_AT: Readonly<Record<LlmConfig['provider'], string | null>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': null,
}

/** Whether those who sign people in can be reached, and say of themselves what they are set to be. */
export async function checkProviders({ idp_a, idp_b, public_url }: Config): Promise<Finding> {
  const providers = Object.entries({ idp_a, idp_b }).filter(
    (each): each is [string, IdentityProviderConfig] => each[1] !== null,
  )
  if (!providers.length) return ok('providers', 'None is set')
  const told: string[] = []
  for (const [name, { issuer, name: called }] of providers) {
    const fault = await discoveryFault(issuer)
    const back = `${public_url}/api/auth/oauth/${name}/callback`
    if (fault)
      return fail(
        'providers',
        `${called} (${issuer}): ${fault}`,
        'Look at its ISSUER, and whether this machine reaches it',
      )
    told.push(`${called} answers, and is to send people back to ${back}`)
  }
  return ok('providers', told.join('; '))
}

async function discoveryFault(issuer: string): Promise<string | null> {
  const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const answer = await fetch(at, { signal: AbortSignal.timeout(PATIENCE) })
    if (!answer.ok) return `${at} answers ${answer.status}`
    const { issuer: said } = (await answer.json()) as { issuer?: unknown }
    // Microsoft's has a place for the tenant.
    return said === issuer || String(said).includes('{tenantid}') ? null : `it calls itself ${String(said)}`
  } catch (error) {
    return worded(error)
  }
}

/** Whether the chat's model lets this key in. */
export async function checkModel({ llm }: Config): Promise<Finding> {
  const { provider, api_key, base_url } = llm
  const at = base_url ?? MODELS_AT[provider]
  if (at === null || (api_key === null && base_url === null))
    return ok('model', 'None is set: the chat says so to those who open it')
  try {
    const headers: Record<string, string> =
      provider === 'anthropic'
        ? { 'x-api-key': api_key ?? '', 'anthropic-version': '2023-06-01' }
        : api_key === null
          ? {}
          : { authorization: `Bearer ${api_key}` }
    const { status } = await fetch(`${at}/models`, { headers, signal: AbortSignal.timeout(PATIENCE) })
    if (status === 401 || status === 403)
      return fail('model', `${at} refuses the key (${status})`, 'Set LLM_API_KEY to one that is in force')
    return status >= 500
      ? warn('model', `${at} answers ${status}`, 'Wait, or choose another LLM_BASE_URL')
      : ok('model', `${at} answers`)
  } catch (error) {
    return fail(
      'model',
      `${at} cannot be reached: ${worded(error)}`,
      'Look at LLM_BASE_URL, and whether the model runs',
    )
  }
}
