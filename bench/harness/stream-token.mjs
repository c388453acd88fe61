export const streamProtocol = 'awp.tts.v1'

/** A failure with the server's error code in `refusal`. */
export const refusal = (code, detail) => Object.assign(new Error(`${code}: ${detail}`), { refusal: code })

export const mintStreamToken = async ({ url, authorization }) => {
  const response = await fetch(`${url}/v1/tts/stream-tokens`, { method: 'POST', headers: { authorization } })
  const body = await response.json()
  if (!response.ok) throw refusal(body.code, body.detail)
  return body.token
}
