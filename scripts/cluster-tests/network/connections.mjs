const established = '01'
const listening = '0A'

/** The address of `/proc/net/tcp` and `tcp6`, each four bytes of which are in the order of a little-endian processor. */
const readAddress = (text) => {
  const [hex, port] = text.split(':')
  const bytes = hex.match(/.{8}/g).flatMap((word) => [...Buffer.from(word, 'hex')].reverse())
  return { address: bytes.slice(-4).join('.'), port: Number.parseInt(port, 16) }
}

/**
 * Reads `/proc/net/tcp` and `tcp6` of a pod: the ports at which it listens, and its connections, with the address of the other
 * side. IPv6 addresses are expected to embed IPv4 addresses.
 */
export const readConnections = (text) => {
  const rows = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([number]) => /^\d+:$/.test(number))
    .map(([, local, remote, state]) => ({ local: readAddress(local), remote: readAddress(remote), state }))
  const ports = new Set(rows.filter(({ state }) => state === listening).map(({ local }) => local.port))
  const connections = rows
    .filter(({ state, remote }) => state === established && !remote.address.startsWith('127.'))
    .map(({ local, remote }) => ({ isIncoming: ports.has(local.port), local, remote }))
  return { ports: [...ports], connections }
}
