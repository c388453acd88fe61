import { createHmac } from 'node:crypto'
import { freePort } from '@parlance/testing'
import Turn from 'node-turn'

/** Passwords are made of the names, as coturn does with `use-auth-secret`. */
const credentialsOf = (secret: string): Record<string, string> =>
  new Proxy<Record<string, string>>(
    {},
    { get: (_none, username) => createHmac('sha1', secret).update(String(username)).digest('base64') },
  )

/** A TURN server at UDP on 127.0.0.1 whose users know a secret. */
export const openTurnServer = async (secret: string) => {
  const port = await freePort()
  const server = new Turn({
    authMech: 'long-term',
    credentials: credentialsOf(secret),
    listeningIps: ['127.0.0.1'],
    relayIps: ['127.0.0.1'],
    listeningPort: port,
    debugLevel: 'OFF',
  })
  server.start()
  return { port, close: () => server.stop() }
}
