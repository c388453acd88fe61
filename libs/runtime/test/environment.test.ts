import { createLogger } from '@parlance/telemetry'
import { z } from 'zod'
import { parseEnvironment } from '../src/environment.js'
import { type Environment, StartupError, startServices } from '../src/index.js'
import { natsOptions } from '../src/nats/index.js'
import { platformEnvironmentSchema, telemetrySettings } from '../src/platform-environment.js'
import { type FakeOptions, fakeService } from './fake-service.js'

const port = z.coerce.number().int().min(1).max(65535)
const schema = z.object({
  PORT: port.default(8080).describe('a port from 1 to 65535'),
  SECRET: z.string().min(32).describe('32 random characters or more'),
  PLAIN: z.enum(['dev', 'prd']).optional(),
})

/** The error lines of a start with these variables. */
const refusal = async (environment: Environment, services: Record<string, FakeOptions>) => {
  const fakes = Object.entries(services).map(([name, options]) => fakeService(name, [], options))
  const logger = createLogger({ level: 'silent' })
  const error = await startServices(fakes, { environment, logger }).catch((error: unknown) => error)
  return error instanceof StartupError ? error.lines : []
}

test('every missing or invalid variable is reported in one line: its name, the problem, the fix', () => {
  const { problems } = parseEnvironment([schema], { PORT: 'eighty', PLAIN: 'test' })
  expect(problems).toEqual([
    'PORT is not valid. Invalid input: expected number, received NaN. Set it to a port from 1 to 65535.',
    'SECRET is not set. Set it to 32 random characters or more.',
    'PLAIN is not valid. Invalid option: expected one of "dev"|"prd".',
  ])
})

test('the value of a variable is never shown', () => {
  const { problems } = parseEnvironment([schema], { SECRET: 'hunter2', PORT: 'hunter2', PLAIN: 'hunter2' })
  expect(problems).toHaveLength(3)
  expect(problems.join()).not.toContain('hunter2')
})

test('an empty variable counts as not set', () => {
  const { values, problems } = parseEnvironment([z.object({ PORT: port.default(8080) })], { PORT: '' })
  expect(problems).toEqual([])
  expect(values[0]).toEqual({ PORT: 8080 })
})

test('the problems of all services and of the platform are reported together, a shared one once', async () => {
  const env = z.object({ PORT: port })
  const lines = await refusal({ LOG_LEVEL: 'loud', NATS_URL: 'localhost:4222' }, { one: { env }, two: { env } })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['NATS_URL', 'LOG_LEVEL', 'PORT'])
})

test('a service that runs alone is refused with a line for each missing address', async () => {
  const needs = ['bus', 'ttl', 'database'] as const
  expect(await refusal({}, { auth: { needs } })).toEqual([
    expect.stringMatching(/^NATS_URL is not set\. auth runs alone .* nats:/),
    expect.stringMatching(/^REDIS_URL is not set\. auth runs alone .* redis:/),
    expect.stringMatching(/^DATABASE_URL is not set\. auth runs alone .* postgres:/),
  ])
  expect(await refusal({ NATS_URL: 'nats://127.0.0.1:9' }, { auth: { needs } })).toHaveLength(2)
})

test('variables of NATS that exclude each other or lack their counterpart are refused', async () => {
  const nats = { NATS_URL: 'nats://127.0.0.1:9' }
  const needs = ['bus'] as const
  expect(await refusal({ ...nats, NATS_TOKEN: 't', NATS_CREDS_FILE: 'f' }, { tts: { needs } })).toEqual([
    'NATS_CREDS_FILE and NATS_TOKEN are set. Set one of them.',
  ])
  expect(await refusal({ ...nats, NATS_USER: 'u', NATS_TLS_KEY_FILE: 'k' }, { tts: { needs } })).toEqual([
    'NATS_USER is set and NATS_PASSWORD is not. Set both or neither.',
    'NATS_TLS_KEY_FILE is set and NATS_TLS_CERT_FILE is not. Set both or neither.',
  ])
})

test('every way to authenticate with NATS becomes an option of the connection', () => {
  const options = (environment: Environment) => natsOptions(platformEnvironmentSchema.parse(environment))
  expect(options({})).toEqual({})
  expect(options({ NATS_CREDS_FILE: 'f' })).toEqual({ credentials: { credsFile: 'f' } })
  expect(options({ NATS_NKEY_SEED_FILE: 'f' })).toEqual({ credentials: { nkeySeedFile: 'f' } })
  expect(options({ NATS_USER: 'u', NATS_PASSWORD: 'p' })).toEqual({ credentials: { user: 'u', password: 'p' } })
  expect(options({ NATS_TOKEN: 't', NATS_INBOX_PREFIX: '_INBOX_tts' })).toEqual({
    credentials: { token: 't' },
    inboxPrefix: '_INBOX_tts',
  })
  expect(options({ NATS_TLS_CA_FILE: 'a', NATS_TLS_CERT_FILE: 'c', NATS_TLS_KEY_FILE: 'k' })).toEqual({
    tls: { caFile: 'a', certFile: 'c', keyFile: 'k' },
  })
})

test('a server that does not answer is reported in one line with its address and without its password', async () => {
  const lines = await refusal({ NATS_URL: 'nats://user:hunter2@127.0.0.1:9' }, { tts: { needs: ['bus'] } })
  expect(lines).toEqual([expect.stringMatching(/^No connection to NATS at nats:\/\/127\.0\.0\.1:9: .*NATS_URL\.$/)])
  expect(lines.join()).not.toContain('hunter2')
})

describe('telemetry is sent as the standard variables require', () => {
  const settings = (environment: Environment) => telemetrySettings(platformEnvironmentSchema.parse(environment))
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

  test.each<[string, Environment, ReturnType<typeof telemetrySettings>]>([
    ['off without an address', { OTEL_TRACES_SAMPLER_ARG: '1' }, undefined],
    ['off at ratio 0', { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0' }, undefined],
    ['off when disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }, undefined],
    ['off by its sampler', { ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' }, undefined],
    ['off by its exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, undefined],
    ['on by an exporter that needs no address', { OTEL_TRACES_EXPORTER: 'console' }, { traces: { ratio: undefined } }],
    ['on by an address, for every trace', endpoint, { traces: { ratio: undefined } }],
    [
      'on for a share of the traces, without the name of a sampler',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:1/in', OTEL_TRACES_SAMPLER_ARG: '0.01' },
      { traces: { ratio: 0.01 } },
    ],
    [
      'on with the sampler that is named',
      { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' },
      { traces: { ratio: undefined } },
    ],
    [
      'metrics and logs without traces',
      {
        ...endpoint,
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'otlp',
        OTEL_LOGS_EXPORTER: 'otlp',
        OTEL_METRIC_EXPORT_INTERVAL: '5000',
      },
      { metrics: { protocol: 'http/protobuf', intervalMs: 5000 }, logs: true },
    ],
    [
      'metrics by a protocol of their own',
      {
        OTEL_METRICS_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      },
      { metrics: { protocol: 'grpc', intervalMs: 60_000 } },
    ],
  ])('%s', (_name, environment, expected) => {
    expect(settings(environment)).toEqual(expected)
  })
})
