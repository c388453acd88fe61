import { createParlance } from '@parlance/server'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { PARLANCE_URL: url, PARLANCE_API_KEY: apiKey, AGENT_ID: agentId, PORT = '5173' } = process.env
const parlance = createParlance({ url, apiKey })

/** The page's backend, in the development server. In production it is a server of your own, such as that of the Express example. */
const backend = {
  name: 'session-token',
  configureServer({ middlewares }) {
    middlewares.use('/session-token', async (_request, response) => {
      response.setHeader('cache-control', 'no-store')
      try {
        response.end((await parlance.createSessionToken(agentId)).token)
      } catch ({ message }) {
        response.statusCode = 502
        response.end(message)
      }
    })
  },
}

export default defineConfig({
  plugins: [react(), backend],
  // What the page may know of the environment. The key is not.
  envPrefix: ['PARLANCE_URL', 'AGENT_ID'],
  server: { host: '127.0.0.1', port: Number(PORT), strictPort: true },
})
