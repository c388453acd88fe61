import { documents, readDocument } from '../documents.js'

/** `docs/configuration.md` is made from the schemas of the environment, and a test compares it with them. */
const ofServices = [...readDocument('docs/configuration.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
const ofCompose = [...readDocument('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)

/** Variables that no schema has. */
const ofOthers = {
  'the command line': [
    'PARLANCE_API_KEY',
    'PARLANCE_URL',
    'PARLANCE_PROFILE',
    'PARLANCE_MODELS_MIRROR',
    'XDG_CONFIG_HOME',
  ],
  'the tests': ['FC_SEED', 'CREDIT_HISTORIES'],
  'Node and the library of proxies': ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
  'the SDK of OpenTelemetry': [
    ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_BSP_SCHEDULE_DELAY', 'OTEL_LOG_LEVEL'],
  ],
  'the SDK of OpenAI': ['OPENAI_BASE_URL'],
  'Open WebUI': [
    ...['AUDIO_TTS_ENGINE', 'AUDIO_TTS_MODEL', 'AUDIO_TTS_OPENAI_API_BASE_URL', 'AUDIO_TTS_OPENAI_API_KEY'],
    ...['AUDIO_STT_ENGINE', 'AUDIO_STT_MODEL', 'AUDIO_STT_OPENAI_API_BASE_URL', 'AUDIO_STT_OPENAI_API_KEY'],
  ],
  'what the text itself explains': ['ADMIN_URL', 'API_KEY', 'MODEL_CARD'],
}
const known: ReadonlySet<string> = new Set([...ofServices, ...ofCompose, ...Object.values(ofOthers).flat()])

/** Names with an underscore in code: `NAME`, `NAME=value`, `$NAME`. A name that ends with `…` or `_` stands for several. */
const variablesIn = (text: string): string[] =>
  [...text.matchAll(/(?:`|^ *|[\s(]|\$\{?)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=[`=}"\s/,:])/gm)].map(
    ([, name = '']) => name,
  )

test.each(documents)(
  'every variable that %s names is one that a service, compose or the command line reads',
  (document) => {
    const unknown = variablesIn(readDocument(document)).filter((name) => !known.has(name))
    expect([...new Set(unknown)]).toEqual([])
  },
)
