/** A published Agent with the first voice there is, and `fields` of its own. Resolves to its id. */
export const publishAgent = async ({ url, authorization }, fields) => {
  const send = async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path}: ${answer.code}: ${answer.detail}`)
    return answer
  }
  const { voices } = await (await fetch(`${url}/v1/voices`, { headers: { authorization } })).json()
  const agent = await send('/v1/agents', {
    slug: 'bench',
    display_name: 'Bench',
    voice_id: voices[0].id,
    voice_config: { tts_variant: voices[0].variants[0].id },
    ...fields,
  })
  await send(`/v1/agents/${agent.id}/publish`, {})
  return agent.id
}
