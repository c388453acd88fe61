import { createParlance } from '@parlance/server'
import express from 'express'

const { PARLANCE_URL: url, PARLANCE_API_KEY: apiKey, AGENT_ID: agentId, PORT = '3000' } = process.env
const parlance = createParlance({ url, apiKey })
const app = express()

app.get('/agent', (_request, response) => {
  response.json({ agentId, apiOrigin: url })
})

// A real backend authenticates the user first: a conversation costs credit.
app.post('/session-token', async (_request, response) => {
  response.set('cache-control', 'no-store')
  try {
    const { token } = await parlance.createSessionToken(agentId)
    response.json({ token })
  } catch ({ message }) {
    response.status(502).json({ error: message })
  }
})

app.use('/parlance-client', express.static('node_modules/@parlance/client/dist'))
app.use(express.static('public'))
app.listen(Number(PORT), '127.0.0.1', () => console.log(`Talk at http://127.0.0.1:${PORT}`))
