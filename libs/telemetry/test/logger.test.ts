import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import { createLogger, type LogFields, type LogLevel } from '@parlance/telemetry'

const key = 'awp_dev_0123456789abcdefghijklmnopqrstuv012345'

const capture = (level: LogLevel = 'info') => {
  const lines: string[] = []
  const logger = createLogger({ name: 'test', level, destination: { write: (line: string) => lines.push(line) } })
  return { lines, logger, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

/** An object with more fields than the type allows. */
const careless = (fields: object) => fields as LogFields

test('only fields on the list are printed', () => {
  const { logger, last, lines } = capture()
  logger.info(
    careless({
      requestId: 'r-12345678',
      status: 200,
      authorization: `Bearer ${key}`,
      text: 'a private sentence',
      headers: { authorization: 'Bearer x' },
      route: { text: 'a private sentence' },
    }),
    'request',
  )
  const { time, ...line } = last()
  expect(typeof time).toBe('number')
  expect(line).toEqual({ level: 'info', service: 'test', requestId: 'r-12345678', status: 200, msg: 'request' })
  expect(lines.join()).not.toContain('private')
})

test('the fields of a child logger pass the same list', () => {
  const { logger, last } = capture()
  logger.child(careless({ workspaceId: 'w', api_key: key, text: 'private' })).info('hello')
  expect(last()).toMatchObject({ workspaceId: 'w', msg: 'hello' })
  expect(last()).not.toHaveProperty('api_key')
  expect(last()).not.toHaveProperty('text')
})

test('keys and tokens are masked anywhere in a line', () => {
  const { logger, lines } = capture()
  for (const secret of [key, 'awst_A1b2-C3_d4', 'awtt_ZZZZZZZZ']) {
    logger.warn(`refused ${secret}`)
    logger.error({ err: new Error(`bad header: Bearer ${secret}`) }, 'failed')
    logger.info({ code: secret }, 'failed')
    logger.error(careless(new Error(`bad header ${secret}`)), undefined as never)
    expect(lines.splice(0).join()).not.toContain(secret.slice(5))
  }
})

test('an error is printed as type, message and code, with the calls of its innermost cause and nothing else', () => {
  const { logger, last, lines } = capture()
  const cause = Object.assign(new TypeError('socket closed'), { code: 'ECONNRESET', request: { text: 'private' } })
  logger.error({ err: new ServiceError('unavailable', 'Try again.', { cause }) }, 'call failed')
  expect(last().err).toEqual({
    type: 'ServiceError',
    message: 'unavailable: Try again.',
    code: 'unavailable',
    cause: {
      type: 'TypeError',
      message: 'socket closed',
      code: 'ECONNRESET',
      stack: expect.stringMatching(/^at .*logger\.test/),
    },
  })
  expect(lines.join()).not.toContain('private')
})

test('a line about an error whose cause was reported before is not printed, also when it is the cause of another', () => {
  const { logger, lines } = capture()
  const reported = new ServiceError('unavailable', 'Try again.', { isReported: true })
  logger.error({ err: reported }, 'A request failed')
  logger.child({ service: 'a' }).warn({ err: new Error('no keys', { cause: reported }) }, 'Keys cannot be checked')
  logger.warn({ err: new ServiceError('unavailable', 'Try again.') }, 'A request failed')
  expect(lines).toHaveLength(1)
})

test('messages that quote invalid input are printed without the quotation', () => {
  const { logger, lines } = capture()
  try {
    JSON.parse('"a private sentence" and more')
  } catch (err) {
    logger.error({ err }, 'bad body')
  }
  const duplicate = new Error('duplicate: Key (name)=(a private sentence) already exists')
  logger.error({ err: Object.assign(duplicate, { code: '23505' }) }, 'insert failed')
  logger.error({ err: 'a private sentence' }, 'thrown')
  expect(lines).toHaveLength(3)
  expect(lines.join()).not.toContain('private')
})

test('an endless chain of causes is cut off', () => {
  const { logger, lines } = capture()
  const error = new Error('again')
  error.cause = error
  logger.error({ err: error }, 'circular')
  expect(lines[0]?.match(/again/g)?.length).toBeLessThan(6)
})

describe('lines are buffered', () => {
  const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  const inProcess = (script: string) =>
    promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { createLogger } from ${JSON.stringify(built)}; const logger = createLogger({ name: 'child' }); ${script}`,
    ])

  test('and none is lost when the process exits at once', async () => {
    const { stdout } = await inProcess(
      `for (let i = 0; i < 100; i++) logger.info({ count: i }, 'line'); process.exit(0)`,
    )
    expect(stdout.trim().split('\n')).toHaveLength(100)
  })

  test('and a line does not wait for the buffer to fill, nor keep the process alive', async () => {
    const { stdout } = await inProcess(`logger.info('alone')`)
    expect(JSON.parse(stdout)).toMatchObject({ service: 'child', msg: 'alone' })
  })
})
