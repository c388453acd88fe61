import { join } from 'node:path'
import { operatorSocketPath } from '../../src/installation/operator-socket.js'

test('the socket is in the data folder, with a path relative to the working directory when that is shorter', () => {
  expect(operatorSocketPath('/p')).toBe('/p/operator.sock')
  expect(operatorSocketPath(join(process.cwd(), '.parlance'))).toBe(join('.parlance', 'operator.sock'))
})

test('a deep folder is reached by a short path when it is the working directory', () => {
  const deep = 'd'.repeat(80)
  expect(operatorSocketPath(join(process.cwd(), deep))).toBe(join(deep, 'operator.sock'))
})

test('a path that is too long for a socket is undefined', () => {
  expect(operatorSocketPath(`/${'d'.repeat(200)}`)).toBeUndefined()
  // Its characters would fit, but its bytes do not.
  expect(operatorSocketPath(`/${'ä'.repeat(60)}`)).toBeUndefined()
})
