import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { checkUdp } from '../../src/doctor/checks/udp.js'
import {
  encodeBindingRequest,
  encodeBindingResponse,
  isBindingRequest,
  mappedAddressIn,
  openStunResponder,
  probeStun,
} from '../../src/doctor/network/stun.js'
import { createContext, expectFinding, expectFine, notAborted } from './check-context.js'

const check = (options: object, environment = {}) => checkUdp(createContext({ environment, ...options }), notAborted)

/** A UDP port that is bound and never answers. */
const openSilentPort = async () => {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}

test('the address of a response is the encoded one', () => {
  const addresses = fc.record({ address: fc.oneof(fc.ipV4(), fc.ipV6()), port: fc.integer({ min: 1, max: 65_535 }) })
  fc.assert(
    fc.property(addresses, ({ address, port }) => {
      const request = encodeBindingRequest()
      const mapped = mappedAddressIn(encodeBindingResponse(request, { address, port }), request)
      expect(mapped?.port).toBe(port)
      // An address can be written in many ways, so the two responses are compared.
      const again = encodeBindingResponse(request, mapped!)
      expect(mappedAddressIn(again, request)).toEqual(mapped)
    }),
  )
})

/** The sample responses of RFC 5769, 2.2 and 2.3, up to the address. */
test.each([
  ['0101000c2112a442b7e7a701bc34d686fa87dfae002000080001a147e112a643', '192.0.2.1', 32_853],
  [
    '010100182112a442b7e7a701bc34d686fa87dfae002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9',
    '2001:db8:1234:5678:11:2233:4455:6677',
    32_853,
  ],
])('the sample response %s has its address', (hex, address, port) => {
  const response = Buffer.from(hex, 'hex')
  const request = Buffer.concat([Buffer.from('00010000', 'hex'), response.subarray(4, 20)])
  expect(isBindingRequest(request)).toBe(true)
  expect(mappedAddressIn(response, request)).toEqual({ address, port })
  expect(mappedAddressIn(response, encodeBindingRequest())).toBeUndefined()
})

test('random bytes are neither a request nor a response', () => {
  const request = encodeBindingRequest()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(isBindingRequest(Buffer.from(bytes))).toBe(false)
      expect(mappedAddressIn(Buffer.from(bytes), request)).toBeUndefined()
    }),
  )
})

test('one side answers, the other probes, and both report it', async () => {
  const silent = await openSilentPort()
  const { port } = silent
  silent.close()
  const answering = check({ udpAnswer: port })
  const probing = check({ udpTo: { host: '127.0.0.1', port } })
  const [answered, probed] = await Promise.all([answering, probing])
  expectFine([...answered, ...probed])
  expectFinding(probed, 'ok', /^10 of 10 STUN requests to 127\.0\.0\.1:\d+ .*came from 127\.0\.0\.1:\d+\.$/)
  expectFinding(answered, 'ok', /were answered: 10 from 127\.0\.0\.1:\d+\.$/)
})

test('a port that does not answer is an error', async () => {
  const silent = await openSilentPort()
  try {
    const findings = await check({ udpTo: { host: '127.0.0.1', port: silent.port } })
    expectFinding(findings, 'error', /^No STUN request to 127\.0\.0\.1:\d+ was answered/)
    expectFinding(await check({ udpTo: { host: 'no-such-host.invalid', port: 1 } }), 'error', /does not resolve/)
  } finally {
    silent.close()
  }
})

test('a port that is in use is an error', async () => {
  const responder = await openStunResponder(0)
  try {
    expectFinding(await check({ udpAnswer: responder.port }), 'error', /^UDP port \d+ cannot be bound: .*EADDRINUSE/)
  } finally {
    responder.close()
  }
})

test('some requests without an answer are counted', async () => {
  const socket = createSocket('udp4')
  let count = 0
  socket.on('message', (message, { address, port }) => {
    count += 1
    if (count % 2 === 0) socket.send(encodeBindingResponse(message, { address, port }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  try {
    const probe = await probeStun({ host: '127.0.0.1', port: socket.address().port }, notAborted, 4)
    expect(probe).toMatchObject({ sent: 4, answered: 2, mapped: { address: '127.0.0.1' } })
  } finally {
    socket.close()
  }
})

test('the media address for peers is checked', async () => {
  expectFinding(await check({}, { SESSION_ANNOUNCED_ADDRESS: 'media.example.com' }), 'error', /is not an IP address/)
  expectFinding(await check({}, { SESSION_ANNOUNCED_ADDRESS: '203.0.113.7' }), 'warning', /any free port/)
  const announced = { SESSION_ANNOUNCED_ADDRESS: '203.0.113.7', SESSION_UDP_PORT: '40000' }
  expect(await check({}, announced)).toEqual([expect.objectContaining({ status: 'skipped' })])
})
