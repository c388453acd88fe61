/** Publishes an Agent that conversations can be started with, so that generated requests reach more than a 404. */
export const prepareAgent = async ({ url, key }) => {
  const call = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.detail}`)
    return answer
  }
  const { voices } = await call('GET', '/v1/voices')
  const [voice] = voices
  const { id } = await call('POST', '/v1/agents', {
    slug: 'prepared',
    display_name: 'Prepared',
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants[0].id },
    llm_provider: 'builtin',
    llm_model: 'rules',
  })
  await call('POST', `/v1/agents/${id}/publish`, {})
  return id
}
