import { setTimeout as delay } from 'node:timers/promises'
import type { TestServer } from '@parlance/testing'
import { createClient } from 'redis'

/** One command to a Redis, as an operator would give it. */
export const sendToRedis = async ({ url }: Pick<TestServer, 'url'>, ...command: string[]): Promise<unknown> => {
  const connection = createClient({ url })
  connection.on('error', () => {})
  await connection.connect()
  try {
    return await connection.sendCommand(command)
  } finally {
    connection.destroy()
  }
}

/** Makes it follow the other. Resolves once it has all that the other had. */
export const followRedis = async (replica: TestServer, master: TestServer): Promise<void> => {
  // It would wait for others who might want to follow.
  await sendToRedis(master, 'CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  await sendToRedis(replica, 'REPLICAOF', '127.0.0.1', `${master.port}`)
  while (!`${await sendToRedis(replica, 'INFO', 'replication')}`.includes('master_link_status:up')) await delay(10)
}

/** From here on it misses what is written to its master. */
export const cutReplica = async (replica: TestServer): Promise<void> => {
  // Nothing listens there.
  await sendToRedis(replica, 'REPLICAOF', '127.0.0.1', '1')
}

export const promoteReplica = (replica: TestServer): Promise<unknown> => sendToRedis(replica, 'REPLICAOF', 'NO', 'ONE')
