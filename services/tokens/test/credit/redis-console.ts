import { setTimeout as delay } from 'node:timers/promises'
import type { TestServer } from '@parlance/testing'
import { createClient } from 'redis'

/** Sends one command to a Redis server. */
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

/** Makes a server a replica of another. Resolves when the first synchronization is complete. */
export const followRedis = async (replica: TestServer, master: TestServer): Promise<void> => {
  // Without this, the master waits for further replicas before it sends its data.
  await sendToRedis(master, 'CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  await sendToRedis(replica, 'REPLICAOF', '127.0.0.1', `${master.port}`)
  while (!`${await sendToRedis(replica, 'INFO', 'replication')}`.includes('master_link_status:up')) await delay(10)
}

/** Disconnects a replica: it receives no later writes of its master. */
export const cutReplica = async (replica: TestServer): Promise<void> => {
  // No server listens on this port.
  await sendToRedis(replica, 'REPLICAOF', '127.0.0.1', '1')
}

export const promoteReplica = (replica: TestServer): Promise<unknown> => sendToRedis(replica, 'REPLICAOF', 'NO', 'ONE')
