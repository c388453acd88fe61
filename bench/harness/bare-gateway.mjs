/** The upper limit: node:http and the same bus, without authentication, validation, logs or metrics. */
import { createServer } from 'node:http'
import { connectNatsBus, createClient } from '@parlance/bus'
import { catalogContract } from '@parlance/contracts'

const bus = await connectNatsBus({ url: process.env.NATS_URL, name: 'bench-bare-gateway' })
const catalog = createClient(bus, catalogContract)
const page = process.env.LIMIT ? { limit: Number(process.env.LIMIT) } : {}

createServer(async (_request, response) => {
  try {
    const body = await catalog.raw.listVoices(page)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  } catch {
    response.writeHead(503).end()
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
