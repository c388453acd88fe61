// The page needs no server of its own: any host of files can serve it, with the two values filled in.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { PARLANCE_URL, PARLANCE_API_KEY, AGENT_ID, PORT = '3000' } = process.env
const origin = `http://127.0.0.1:${PORT}`
const agent = `${PARLANCE_URL}/v1/agents/${AGENT_ID}`
const headers = { authorization: `Bearer ${PARLANCE_API_KEY}`, 'content-type': 'application/json' }

const request = async (method, url, body) => {
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

// Lets visitors of this origin talk without a key, within limits. The Integrate tab of the Agent does the same.
const { session_config } = await request('GET', agent)
const open = { enabled: true, origins: [origin], per_address_per_hour: 60, daily_credit: '10' }
await request('PATCH', agent, { session_config: { ...session_config, public: open } })
await request('POST', `${agent}/publish`)

const page = readFileSync('index.html', 'utf8').replace('PARLANCE_URL', PARLANCE_URL).replace('AGENT_ID', AGENT_ID)
createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page)).listen(
  Number(PORT),
  '127.0.0.1',
  () => console.log(`Talk at ${origin}`),
)
