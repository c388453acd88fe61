import { randomUUID } from 'node:crypto'
import type { Voice } from '@parlance/contracts'
import type { Api } from './api.js'

/** Creates and publishes an Agent of the built-in model, and resolves with its id. `fields` override its configuration. */
export const publishAgent = async (
  api: Api,
  { voice, ...fields }: { readonly voice: Voice; readonly [field: string]: unknown },
): Promise<string> => {
  const { body } = await api.post('/v1/agents', {
    slug: `agent-${randomUUID().slice(0, 8)}`,
    display_name: 'Agent',
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants[0]!.id },
    llm_provider: 'builtin',
    llm_model: 'default',
    ...fields,
  })
  expect((await api.post(`/v1/agents/${body.id}/publish`)).status).toBe(201)
  return body.id
}
