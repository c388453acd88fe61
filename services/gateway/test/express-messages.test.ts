import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createMessageClasses } from '../src/http/express-messages.js'

test('Express finds the prototypes that it would set, so that setting them changes nothing', async () => {
  const app = express()
  app.get('/', (req, res) => res.json({ path: req.path, ip: typeof req.ip }))
  const found: boolean[] = []
  const server = createServer(createMessageClasses(app), (req, res) => {
    found.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response)
    app(req as never, res as never)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(await response.json()).toEqual({ path: '/', ip: 'string' })
  expect(found).toEqual([true, true])
  server.close()
  await once(server, 'close')
})
