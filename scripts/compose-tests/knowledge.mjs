// Runs in a container of the image, beside the installation at PARLANCE_URL. Makes a workspace with an Agent, gives the Agent a PDF,
// and waits until its text is found; then suspends the workspace. Ends with 0 when the file became ready.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { listVoices } from '../model-tests/speech-calls.mjs'
import { inWorkspace } from './workspace.mjs'

const text = 'BT /F1 12 Tf 50 700 Td (The office is open from nine to five.) Tj ET'
// Without a table of its objects, which readers then look for themselves.
const pdf = `%PDF-1.4
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>\nendobj
4 0 obj\n<< /Length ${text.length} >>\nstream\n${text}\nendstream\nendobj
5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj
trailer\n<< /Size 6 /Root 1 0 R >>
%%EOF`

const readKnowledge = async ({ url, headers }) => {
  const call = async (method, path, init) => {
    const response = await fetch(`${url}${path}`, { method, ...init, headers: { ...headers, ...init?.headers } })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response.json()
  }
  const [voice] = await listVoices({ url, headers }, 'en')
  const agent = await call('POST', '/v1/agents', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      slug: 'knowledge',
      display_name: 'Knowledge',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0].id },
      llm_provider: 'builtin',
      llm_model: 'rules',
    }),
  })
  const body = new FormData()
  body.set('file', new Blob([pdf]), 'office.pdf')
  const { id } = await call('POST', `/v1/agents/${agent.id}/knowledge`, { body })
  for (;;) {
    const file = await call('GET', `/v1/agents/${agent.id}/knowledge/${id}`)
    if (file.status !== 'indexing') return file
    await delay(200)
  }
}

await inWorkspace('knowledge', async (platform) => {
  const { status, error } = await readKnowledge(platform)
  assert.equal(status, 'ready', error)
  console.log('a PDF became ready')
})
