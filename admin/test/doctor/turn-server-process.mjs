// A TURN server at UDP on 127.0.0.1: PORT SECRET. Passwords are derived from the names, like those of coturn with `use-auth-secret`.
import { createHmac } from 'node:crypto'
import Turn from 'node-turn'

const [port, secret] = process.argv.slice(2)
const passwordOf = (_none, username) => createHmac('sha1', secret).update(String(username)).digest('base64')

const server = new Turn({
  authMech: 'long-term',
  credentials: new Proxy({}, { get: passwordOf }),
  listeningIps: ['127.0.0.1'],
  relayIps: ['127.0.0.1'],
  listeningPort: Number(port),
  debugLevel: 'OFF',
})
server.start()
process.on('disconnect', () => process.exit())
process.send('started')
