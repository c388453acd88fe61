import { isIPv6 } from 'node:net'

/**
 * Replaces the machine's own addresses in an answer by `address`: behind a NAT and in a container a peer cannot use them. One
 * candidate is left for each port.
 */
export const announceAddress = (answer: string, address: string): string => {
  const announced = new Set<string>()
  const lines: string[] = []
  for (const line of answer.split('\r\n')) {
    const fields = line.split(' ')
    if (line.startsWith('c=IN ')) {
      lines.push(`c=IN ${isIPv6(address) ? 'IP6' : 'IP4'} ${address}`)
    } else if (!line.startsWith('a=candidate:')) {
      lines.push(line)
    } else if (!announced.has(fields[5] ?? '')) {
      announced.add(fields[5] ?? '')
      lines.push([...fields.slice(0, 4), address, ...fields.slice(5)].join(' '))
    }
  }
  return lines.join('\r\n')
}
