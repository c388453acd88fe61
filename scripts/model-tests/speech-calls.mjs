// Speech and transcription through the whole platform: `POST /v1/tts` and `POST /v1/audio/transcriptions`.

const ok = async (response) => {
  if (response.ok) return response
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
}

/** Every voice, or every one that speaks a language; the best first. */
export const listVoices = async ({ url, headers }, language) => {
  const query = new URLSearchParams({ limit: 100, ...(language === undefined ? {} : { language }) })
  const response = await fetch(`${url}/v1/voices?${query}`, { headers })
  return (await (await ok(response)).json()).voices
}

const wav = { format: 'wav', sample_rate: 16_000 }

/** Resolves to a speech: by default a WAV at 16 kHz. */
export const speak = async ({ url, headers }, voice, text, output = wav) => {
  const response = await fetch(`${url}/v1/tts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text, voice_id: voice.id, output }),
  })
  return (await ok(response)).blob()
}

/** Resolves to what a recognizer understands of an English file; `model` is its name. */
export const transcribe = async ({ url, headers }, model, file, name = 'speech.wav') => {
  const body = new FormData()
  body.set('file', file, name)
  body.set('model', model)
  body.set('language', 'en')
  const response = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
  return (await (await ok(response)).json()).text
}
