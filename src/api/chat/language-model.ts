import type { LanguageModel } from 'ai'
import { ChatFault } from '#src/api/chat/chat-event.ts'
import type { LlmConfig, LlmProvider } from '#src/config/config.ts'

/** What each provider needs and how its model is made; a provider's package is loaded when it is first used. */
const PROVIDERS: Record<
  LlmProvider,
  {
    needs: readonly Variable[]
    make(this: void, settings: Settings): Promise<LanguageModel>
  }
> = {
  openai: {
    needs: ['LLM_API_KEY'],
    make: async ({ model, ...settings }) => (await import('@ai-sdk/openai')).createOpenAI(settings)(model),
  },
  anthropic: {
    needs: ['LLM_API_KEY'],
    make: async ({ model, ...settings }) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model),
  },
  'openai-compatible': {
    needs: ['LLM_BASE_URL', 'LLM_MODEL'],
    make: async ({ model, baseURL, apiKey, fetch }) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name: 'local', baseURL: baseURL!, fetch, ...(apiKey && { apiKey }) })(
        model,
      )
    },
  },
}

interface Settings {
  model: string
  fetch: typeof globalThis.fetch
  apiKey?: string
  baseURL?: string
}

type Variable = 'LLM_API_KEY' | 'LLM_BASE_URL' | 'LLM_MODEL'

const VALUES: Record<Variable, (config: LlmConfig) => string | null> = {
  LLM_API_KEY: ({ api_key }) => api_key,
  LLM_BASE_URL: ({ base_url }) => base_url,
  LLM_MODEL: ({ model }) => model,
}

/**
 * The model that the configuration names.
 * @throws ChatFault that names the variable to set
 */
export async function languageModel(
  config: LlmConfig,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  globalThis.AI_SDK_LOG_WARNINGS = false // they would go to the console, alongside our log
  const { needs, make } = PROVIDERS[config.provider]
  const missing = needs.filter((variable) => !VALUES[variable](config))
  if (missing.length)
    throw new ChatFault(
      `The chat has no language model yet: set ${missing.join(' and ')} for the provider '${config.provider}' ` +
        `(LLM_PROVIDER) and start the service again`,
    )
  return make({
    model: config.model!,
    fetch,
    ...(config.api_key && { apiKey: config.api_key }),
    ...(config.base_url && { baseURL: config.base_url }),
  })
}
