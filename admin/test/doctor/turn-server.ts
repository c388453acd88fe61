import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@parlance/testing'

const program = fileURLToPath(new URL('turn-server-process.mjs', import.meta.url))

/**
 * A TURN server at UDP on 127.0.0.1 whose users know a secret. It is a separate process, because the library keeps timers
 * of an hour after its end.
 */
export const openTurnServer = async (secret: string) => {
  const port = await freePort()
  const server = fork(program, [String(port), secret])
  await once(server, 'message')
  return { port, close: () => server.kill() }
}
