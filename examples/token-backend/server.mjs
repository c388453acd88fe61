// @ts-check
import { fileURLToPath } from 'node:url'
import express from 'express'
import { settings } from './settings.mjs'
import { createTokenRouter } from './token-router.mjs'

const folderOf = (/** @type {string} */ specifier) => fileURLToPath(new URL('.', import.meta.resolve(specifier)))

const app = express()
app.use(await createTokenRouter(settings()))
app.use('/parlance-client', express.static(folderOf('@parlance/client')))
app.use(express.static(fileURLToPath(new URL('public', import.meta.url))))

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error
  const address = server.address()
  console.log(`Talk at http://127.0.0.1:${typeof address === 'object' && address?.port}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close().closeAllConnections())
