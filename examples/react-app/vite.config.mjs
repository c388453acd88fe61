import { createTokenRouter, settings } from '@parlance/example-token-backend'
import react from '@vitejs/plugin-react'
import express from 'express'
import { defineConfig } from 'vite'

/** The page's backend, in the development server: in production it is a server of your own. */
const tokenBackend = {
  name: 'token-backend',
  async configureServer(server) {
    server.middlewares.use(express().use(await createTokenRouter(settings())))
  },
}

export default defineConfig({
  plugins: [react(), tokenBackend],
  server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 5173) },
})
