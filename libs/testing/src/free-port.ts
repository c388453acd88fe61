/**
 * Ports for servers that tests start.
 *
 * - A port is probed and closed again before its server listens on it. Nothing else may take the port in between, so the ports
 *   are below those for outgoing connections (Linux from 32768 on, others higher), of which tests make thousands.
 * - Each worker of vitest uses a range of its own in rotation, so that no two servers get the same port.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

const lowest = 12_000
const shares = 16
const shareSize = 1_280

const shareStart = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % shares) * shareSize
// Two runs at once start at different ports.
let next = Math.floor(Math.random() * shareSize)

/** Whether a server can listen there now. */
const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * A free TCP port of 127.0.0.1 that no other test of this run receives for a long time. Throws when none
 * is free.
 */
export const freePort = async (): Promise<number> => {
  for (let looked = 0; looked < shareSize; looked++) {
    const port = shareStart + next
    next = (next + 1) % shareSize
    if (await isFree(port)) return port
  }
  throw new Error(`None of the ports from ${shareStart} to ${shareStart + shareSize - 1} is free.`)
}
