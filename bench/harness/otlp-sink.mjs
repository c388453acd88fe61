import { once } from 'node:events'
import { createServer } from 'node:http'

/** Takes what tracing exports over OTLP/HTTP and counts how often something came. Answers `{ url, received, stop }`. */
export const startOtlpSink = async () => {
  let received = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received: () => received,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
