import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'

/** A path to a server on this machine. */
interface UdpPath {
  readonly port: number
  cut(): void
  close(): void
}

const openUdpPath = async (serverAddress: string, serverPort: number, isLost: () => boolean): Promise<UdpPath> => {
  const [toClient, toServer] = [createSocket('udp4'), createSocket('udp4')]
  let clientPort = 0
  let clientAddress = ''
  let isCut = false
  toClient.on('message', (packet, { address, port }) => {
    clientAddress = address
    clientPort = port
    if (!isCut && !isLost()) toServer.send(packet, serverPort, serverAddress)
  })
  toServer.on('message', (packet) => {
    if (!isCut && !isLost()) toClient.send(packet, clientPort, clientAddress)
  })
  toClient.bind(0, serverAddress)
  await once(toClient, 'listening')
  return {
    port: toClient.address().port,
    cut() {
      isCut = true
    },
    close() {
      toClient.close()
      toServer.close()
    },
  }
}

/** `url` is the address of the server by this path. `cut` ends the connections that are open; new ones are accepted. */
export const openTcpPath = async (serverPort: number) => {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
    open.clear()
  }
  const close = () => {
    cut()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, close }
}

/**
 * Lets the page reach the service over UDP only by a path: its offers lose their own addresses, and the answers name the path.
 * Each answer has a path of its own. `cut` cuts the latest; `lose` begins and ends the loss of all packets on all of them.
 */
export const routeMedia = async (page: Page) => {
  const paths: UdpPath[] = []
  let isLost = false
  await page.exposeFunction('openUdpPath', async (address: string, port: number) => {
    const path = await openUdpPath(address, port, () => isLost)
    paths.push(path)
    return path.port
  })
  // In the page, because Playwright does not read the bodies of Firefox's requests.
  await page.addInitScript(`{
    const { fetch } = globalThis
    globalThis.fetch = async (url, init) => {
      const body = JSON.parse(init?.body ?? null)
      if (body?.sdp === undefined) return fetch(url, init)
      body.sdp.sdp = body.sdp.sdp.replace(/a=candidate:.*\\r\\n/g, '')
      const response = await fetch(url, { ...init, body: JSON.stringify(body) })
      const answer = await response.json()
      if (answer.sdp === undefined) return Response.json(answer, { status: response.status })
      const [, address, port] = /a=candidate:.* (\\S+) (\\d+) typ host/.exec(answer.sdp.sdp)
      const path = await openUdpPath(address, Number(port))
      answer.sdp.sdp = answer.sdp.sdp.replaceAll(address + ' ' + port + ' typ host', address + ' ' + path + ' typ host')
      return Response.json(answer, { status: response.status })
    }
  }`)
  return {
    cut: () => paths.at(-1)?.cut(),
    lose(all: boolean) {
      isLost = all
    },
    close: () => {
      for (const path of paths) path.close()
    },
  }
}

/** The browser reports that it is offline, and soon that it is online again. */
export const changeNetwork = async (context: BrowserContext): Promise<void> => {
  await context.setOffline(true)
  await context.setOffline(false)
}

/** The longest silence between two sounds of the Agent since `page.lips` was last cleared, in ms. */
export const longestSilenceMs = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    let last
    let longest = 0
    for (const { atMs, loud } of page.lips) {
      if (loud < 0.02) continue
      if (last !== undefined) longest = Math.max(longest, atMs - last)
      last = atMs
    }
    return longest
  })()`)
