import { headers as createHeaders, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import { checkHeaders, type Headers } from '../bus.js'

interface Publication {
  readonly subject: string
  readonly data: Uint8Array
  readonly reply: string | undefined
  readonly headers: MsgHdrs | undefined
}

/**
 * Publications of one tick of the event loop. The NATS client writes to its socket once per microtask; publishing them
 * together makes that one write per tick.
 */
export const createPublishBatch = (connection: Pick<NatsConnection, 'publish'>) => {
  let batch: Publication[] = []
  let scheduled = false

  const flush = () => {
    const publications = batch
    batch = []
    for (const { subject, data, reply, headers } of publications) {
      connection.publish(subject, data, { ...(reply && { reply }), ...(headers && { headers }) })
    }
  }
  const onTickEnd = () => {
    scheduled = false
    flush()
  }

  return {
    add(subject: string, data: Uint8Array, { reply, headers }: { reply?: string; headers?: Headers }): void {
      batch.push({ subject, data, reply, headers: headers && encodeHeaders(headers) })
      if (scheduled) return
      scheduled = true
      setImmediate(onTickEnd)
    },
    /** Passes all publications to the client. */
    flush,
    /** Discards all publications. */
    clear(): void {
      batch = []
    },
  }
}

const encodeHeaders = (headers: Headers): MsgHdrs => {
  checkHeaders(headers)
  const encoded = createHeaders()
  for (const [name, value] of Object.entries(headers)) encoded.set(name, value)
  return encoded
}
